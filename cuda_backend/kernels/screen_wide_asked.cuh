#pragma once

// What scores of screen_wide.cuh are compared with, made ready for each tile by three warps that have nothing else to do. Sixteen warps
// each would wait for the same words of shared memory, which products keep busy, and turn them into the same numbers.

#include "kernels/screen_wide_queries.cuh"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
// The warps of the copying thread's warpgroup but its own.
constexpr unsigned asking_threads = warpgroup - 32;

// @param thread  of asking_threads
template <typename Use>
__device__ __forceinline__ void ask(const Parameters& p, unsigned there, Control& control, unsigned thread) {
  using Scores = typename Use::Scores;
  if constexpr (Use::collects)
    // Each thread reads only what it has written itself.
    for (unsigned local = thread; local < workgroup_queries; local += asking_threads) {
      const unsigned number = blockIdx.y * workgroup_queries + local;
      float4 query = make_float4(0, 0, 0, __builtin_huge_valf());
      if (number < there) {
        query = reinterpret_cast<const float4*>(p.query_bounds)[2 * number];
        query.w = reinterpret_cast<const float*>(p.thresholds)[number];
      }
      control.asking[local] = query;
    }
  for (unsigned i = blockIdx.x, n = 0; i < p.tile_count; i += p.splits, ++n) {
    const MarginSlot at(n);
    control.margins_full[at.slot].wait(at.parity);
    const Margins& margins = control.margins[at.slot];
    Asked& asked = control.asked[at.slot];
    if constexpr (Use::collects) {
      const float4 tile = margins.bounds;
      for (unsigned local = thread; local < workgroup_queries; local += asking_threads) {
        const float4 query = control.asking[local];
        asked.queries[local] = Scores::asked(query.w, Scores::error(query, tile));
      }
      Scores::arrange(margins.biases, asked.biases, thread);
    } else {
      Scores::arrange_below(margins.biases, asked.biases, thread);
    }
    __syncwarp();
    if (thread % 32 == 0) control.asked_full[at.slot].arrive();
  }
}
#endif

}  // namespace proxel::cuda::wide
