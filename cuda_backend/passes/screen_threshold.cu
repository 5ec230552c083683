// A warp per query, or a workgroup where queries are few; its lower bounds stay in shared memory as ordered keys while the range of the
// one of the rank is halved. Of more neighbours than that serves a workgroup per query counts its bounds.

#include "kernels/chain.cuh"
#include "kernels/key_range.cuh"
#include "kernels/kth_by_counting.cuh"
#include "kernels/screen_bound.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_threshold.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenThresholdParameters;

// Groups left when as many count as one as do no harm: a few times the rank.
__host__ __device__ constexpr unsigned folded(unsigned groups, unsigned rank) {
  const unsigned wanted = rank < 64                               ? 256
                          : 4 * rank < passes::screen_most_groups ? 4 * rank
                                                                  : passes::screen_most_groups;
  const unsigned fold = groups / wanted > 1 ? groups / wanted : 1;
  return (groups - 1) / fold + 1;
}

// @param least  a lower bound that as many rows as the rank reach
__device__ __forceinline__ void write_threshold(const Parameters& p, std::uint64_t query, float least) {
  const QueryBounds query_bounds(p.query_bounds, query);
  const float value = query_bounds.threshold(least);
  const bool decided = query_bounds.certifiable() && QueryBounds::certifies(least) && isfinite(value);
  reinterpret_cast<float*>(p.thresholds)[query] = decided ? value : __int_as_float(0x7F800000);
  if (!decided || p.estimated == 0) return;
  auto* bounds = reinterpret_cast<float*>(p.query_bounds) + 8 * query;
  bounds[3] = passes::screen_estimated;
  bounds[7] = value;
}

// Leaves the keys of a query's folded bounds in shared memory. Threads ask for several bounds before they use the first, which branches
// would keep the compiler from.
__device__ __forceinline__ void fold_bounds(const Parameters& p, std::uint64_t query, unsigned groups, unsigned thread,
                                            unsigned threads, std::uint32_t* keys) {
  const float* bounds = reinterpret_cast<const float*>(p.lower_bounds) + query * p.groups;
  constexpr unsigned together = 4;
  const float nothing = __int_as_float(0xFF800000);
  for (unsigned first = thread; first < groups; first += threads * together) {
    float best[together];
#pragma unroll
    for (unsigned j = 0; j < together; ++j) best[j] = nothing;
#pragma unroll 4
    for (unsigned folds = 0; folds < p.groups; folds += groups)
#pragma unroll
      for (unsigned j = 0; j < together; ++j) {
        const unsigned i = folds + min(first + threads * j, groups - 1);
        const float bound = __ldcs(bounds + min(i, p.groups - 1));
        best[j] = fmaxf(best[j], i < p.groups ? bound : nothing);
      }
#pragma unroll
    for (unsigned j = 0; j < together; ++j)
      if (first + threads * j < groups) keys[first + threads * j] = ordered_key<true>(best[j]);
  }
}

// Called by the warp that selects.
__device__ __forceinline__ void select_threshold(const Parameters& p, std::uint64_t query, unsigned groups,
                                                 const std::uint32_t* keys) {
  const unsigned lane = threadIdx.x % 32;
  std::uint32_t low = 0xFFFFFFFFu, high = 0;
  for (unsigned i = lane; i < groups; i += 32) {
    low = min(low, keys[i]);
    high = max(high, keys[i]);
  }
  const KeyRange range{__reduce_min_sync(all_lanes, low), __reduce_max_sync(all_lanes, high), groups, false};
  const KeyRange found = select_key(range, p.rank, p.rank + p.rank / 16, [&](std::uint32_t limit) {
    unsigned held = 0;
    for (unsigned i = lane; i < groups; i += 32) held += keys[i] <= limit;
    return __reduce_add_sync(all_lanes, held);
  });
  if (lane == 0) write_threshold(p, query, lower_bound_of_key(found.high));
}

__global__ void __launch_bounds__(1024) threshold(const Parameters p) {
  follow_previous_pass();
  extern __shared__ std::uint32_t shared[];
  const unsigned warps = blockDim.x / 32;
  const unsigned count = Selected(p.selected, p.first_selected, p.query_count).count;
  const unsigned groups = folded(p.groups, p.rank);
  std::uint32_t* keys = shared + threadIdx.x / 32 * groups;
  for (std::uint64_t query = std::uint64_t{blockIdx.x} * warps + threadIdx.x / 32; query < count;
       query += std::uint64_t{gridDim.x} * warps) {
    fold_bounds(p, query, groups, threadIdx.x % 32, 32, keys);
    __syncwarp();
    select_threshold(p, query, groups, keys);
    __syncwarp();
  }
}

// Few warps alone would wait for one memory access after another.
__global__ void __launch_bounds__(1024) threshold_of_few(const Parameters p) {
  follow_previous_pass();
  extern __shared__ std::uint32_t keys[];
  const unsigned count = Selected(p.selected, p.first_selected, p.query_count).count;
  const unsigned groups = folded(p.groups, p.rank);
  for (unsigned query = blockIdx.x; query < count; query += gridDim.x) {
    fold_bounds(p, query, groups, threadIdx.x, blockDim.x, keys);
    __syncthreads();
    if (threadIdx.x < 32) select_threshold(p, query, groups, keys);
    __syncthreads();
  }
}

__global__ void __launch_bounds__(512) threshold_by_counting(const Parameters p) {
  follow_previous_pass();
  __shared__ CountingMemory counting;
  const unsigned count = Selected(p.selected, p.first_selected, p.query_count).count;
  for (unsigned query = blockIdx.x; query < count; query += gridDim.x) {
    const float* bounds = reinterpret_cast<const float*>(p.lower_bounds) + std::uint64_t{query} * p.groups;
    const std::uint32_t kth = kth_by_counting(p.rank, p.rank / 16, counting, [&](const auto& use) {
      for (unsigned i = threadIdx.x; i < p.groups; i += blockDim.x) use(ordered_key<true>(__ldg(bounds + i)));
    });
    if (threadIdx.x == 0) write_threshold(p, query, lower_bound_of_key(kth));
  }
}

}  // namespace

PROXEL_KERNEL(screen_threshold)(const Pass& pass) {
  if (!whole_warps(pass.workgroup_size)) return {};
  const auto p = pass.as<Parameters>();
  if (pass.constants_as<passes::ScreenThresholdConstants>().run == 0)
    return pass.workgroup_size > 512 ? Kernel{} : variant(threshold_by_counting);
  constexpr std::uint32_t few_queries = 128, threads = 128;
  const std::uint32_t bytes = folded(p.groups, p.rank) * 4;
  // Whatever the workgroup is.
  Kernel kernel =
      p.query_count <= few_queries ? variant(threshold_of_few, bytes) : variant(threshold, threads / 32 * bytes);
  kernel.workgroup_size = threads;
  return kernel;
}

}  // namespace proxel::cuda
