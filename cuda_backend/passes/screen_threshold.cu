// A warp per query; its lower bounds stay in shared memory as ordered keys while
// the k-th is found bit by bit.

#include "kernels/chain.cuh"
#include "kernels/screen_bound.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_threshold.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenThresholdParameters;

// Groups left when as many count as one as it takes.
__host__ __device__ constexpr unsigned folded(unsigned groups) {
  const unsigned fold = (groups - 1) / passes::screen_most_groups + 1;
  return (groups - 1) / fold + 1;
}

__global__ void __launch_bounds__(1024) threshold(const Parameters p) {
  follow_previous_pass();
  extern __shared__ std::uint32_t shared[];
  const unsigned warps = blockDim.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const unsigned groups = folded(p.groups);
  std::uint32_t* keys = shared + threadIdx.x / 32 * groups;
  for (std::uint64_t query = std::uint64_t{blockIdx.x} * warps + threadIdx.x / 32;
       query < p.query_count; query += std::uint64_t{gridDim.x} * warps) {
    const float* bounds = reinterpret_cast<const float*>(p.lower_bounds) + query * p.groups;
    for (unsigned i = lane; i < groups; i += 32) {
      float best = __ldcs(bounds + i);
      for (unsigned other = i + groups; other < p.groups; other += groups)
        best = fmaxf(best, __ldcs(bounds + other));
      keys[i] = ordered_key<true>(best);
    }
    __syncwarp();
    const std::uint32_t kth = select_key(p.k, [&](std::uint32_t limit) {
      unsigned below = 0;
      for (unsigned i = lane; i < groups; i += 32) below += keys[i] < limit;
      return __reduce_add_sync(all_lanes, below);
    });
    __syncwarp();
    const QueryBounds query_bounds(p.query_bounds, query);
    const float value = query_bounds.threshold(value_of_key(kth));
    const bool decided = query_bounds.certifiable() && isfinite(value);
    if (lane == 0)
      reinterpret_cast<float*>(p.thresholds)[query] = decided ? value : __int_as_float(0x7F800000);
  }
}

}  // namespace

Kernel kernels::screen_threshold(const Pass& pass) {
  if (!whole_warps(pass.workgroup_size)) return {};
  return variant(threshold, pass.workgroup_size / 32 * folded(pass.as<Parameters>().groups) * 4);
}

}  // namespace proxel::cuda
