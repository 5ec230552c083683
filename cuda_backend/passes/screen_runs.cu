// A workgroup per query.

#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/runs.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_runs.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenRunsParameters;
constexpr unsigned most_threads = 512;

__global__ void __launch_bounds__(most_threads) runs(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ Key shared[];
  const auto constants = launch.as<passes::ScreenRunsConstants>();
  const bool largest_first = constants.largest_first != 0;
  const Selected selected(p.selected, p.first_selected, p.query_count);
  for (unsigned slot = blockIdx.x; slot < selected.count; slot += gridDim.x) {
    const unsigned count = reinterpret_cast<const unsigned*>(p.survivor_counts)[slot];
    if (count == 0) continue;
    const unsigned number = selected.query(slot);
    Key* const keys = reinterpret_cast<Key*>(p.survivors) + std::uint64_t{slot} * p.room;
    Key* const spare = reinterpret_cast<Key*>(p.spare) + std::uint64_t{slot} * p.spare_stride;
    const auto write = [&](unsigned rank, Key key) {
      const std::uint64_t at = std::uint64_t{number} * p.k + rank;
      reinterpret_cast<std::uint32_t*>(p.indices)[at] = decoded_index(key);
      reinterpret_cast<float*>(p.distances)[at] = decoded_distance(key, largest_first, p.finish);
    };
    if (distribute(keys, spare, count, p.k, shared, constants.run, write)) {
      __syncthreads();  // all have read what the next query overwrites
      continue;
    }
    const Key* sorted = sort_and_merge(keys, spare, count, p.k, shared, constants.run);
    // Where the k-th distance overflows, so may those of rows that were dropped.
    if (!isfinite(decoded_distance(sorted[p.k - 1], largest_first, passes::finish_none))) {
      if (threadIdx.x == 0) {
        auto* undecided = reinterpret_cast<unsigned*>(p.undecided);
        undecided[4 + atomicAdd(undecided, 1u)] = p.first_query + number;
      }
      continue;
    }
    for (unsigned rank = threadIdx.x; rank < p.k; rank += blockDim.x) write(rank, sorted[rank]);
  }
}

}  // namespace

PROXEL_KERNEL(screen_runs)(const Pass& pass) {
  const std::uint32_t run = pass.constants_as<passes::ScreenRunsConstants>().run;
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > most_threads) return {};
  return variant(runs, in_order_bytes(run));
}

}  // namespace proxel::cuda
