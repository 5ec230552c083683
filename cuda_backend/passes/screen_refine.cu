// A workgroup per query: the k-th of the lower bounds among what was collected,
// canonical distances of what it does not discard, and a sort.

#include "kernels/canonical.cuh"
#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/rows.cuh"
#include "kernels/screen_bound.cuh"
#include "kernels/sort_keys.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_refine.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenRefineParameters;

// What is known of a collected row.
struct Candidate {
  std::uint32_t lower;  // ordered_key<true> of the score less its error
  float upper;          // the score and its error
  std::uint32_t row;
};

// Shared memory: candidates [pool], then the keys of survivors [list_length].
constexpr unsigned shared_bytes(unsigned pool, unsigned list_length) {
  return list_length * 8 + pool * static_cast<unsigned>(sizeof(Candidate));
}

// Sums over the workgroup. Two sets of memory take turns, so that one barrier
// suffices.
struct Sums {
  unsigned (*shared)[8];
  unsigned turn = 0;

  __device__ unsigned operator()(unsigned value) {
    value = __reduce_add_sync(all_lanes, value);
    unsigned* sums = shared[turn ^= 1];
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) value += sums[warp];
    return value;
  }
};

// Brings the lists of a query together. Returns how many rows they hold, or
// none where a list, or the pool, is too small.
// Leaves the smallest and the largest `lower` of them in `range`.
__device__ __forceinline__ unsigned gather(const Parameters& p, const QueryBounds& bounds,
                                           Candidate* pool, unsigned pool_size,
                                           std::uint32_t* range) {
  const std::uint64_t first_list = std::uint64_t{blockIdx.x} * p.splits;
  unsigned held = 0;
  std::uint32_t low = 0xFFFFFFFFu, high = 0;
  for (unsigned split = 0; split < p.splits; ++split) {
    const unsigned count = __ldg(reinterpret_cast<const unsigned*>(p.counts) + first_list + split);
    if (count > p.capacity || held + count > pool_size) return 0;
    const auto* list = reinterpret_cast<const uint2*>(p.found) + (first_list + split) * p.capacity;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
      const uint2 found = __ldg(list + i);
      const float score = __uint_as_float(found.x);
      const float error =
          p.row_bounds == 0 ? 0.0f
                            : bounds.error_in(__ldg(reinterpret_cast<const float4*>(p.row_bounds) +
                                                    found.y / tile_rows));
      const std::uint32_t lower = ordered_key<true>(score - error);
      pool[held + i] = {lower, score + error, found.y};
      low = min(low, lower);
      high = max(high, lower);
    }
    held += count;
  }
  low = __reduce_min_sync(all_lanes, low);
  high = __reduce_max_sync(all_lanes, high);
  if (threadIdx.x % 32 == 0) {
    atomicMin(range, low);
    atomicMax(range + 1, high);
  }
  __syncthreads();
  return held;
}

template <Metric metric>
__device__ __forceinline__ float canonical_distance(const Parameters& p, unsigned number,
                                                    unsigned row) {
  const float* values = row_address(p.rows, row);
  const float* query =
      reinterpret_cast<const float*>(p.queries) + std::uint64_t{number} * p.dimensions;
  constexpr unsigned together = 16;
  const bool whole = p.rows.dimension_stride == 1 && p.rows.row_stride % 4 == 0 && p.rows.address % 16 == 0;
  float sum = 0;
  unsigned i = 0;
  for (; i + together <= p.dimensions; i += together) {
    float coordinates[together];
    if (whole) {
#pragma unroll
      for (unsigned j = 0; j < together; j += 4)
        *reinterpret_cast<float4*>(coordinates + j) =
            __ldg(reinterpret_cast<const float4*>(values + i + j));
    } else {
#pragma unroll
      for (unsigned j = 0; j < together; ++j)
        coordinates[j] = __ldg(values + std::size_t{i + j} * p.rows.dimension_stride);
    }
#pragma unroll
    for (unsigned j = 0; j < together; ++j)
      sum = step<metric>(sum, __ldg(query + i + j), coordinates[j]);
  }
  for (; i < p.dimensions; ++i)
    sum = step<metric>(sum, __ldg(query + i),
                       __ldg(values + std::size_t{i} * p.rows.dimension_stride));
  return sum;
}

__device__ __forceinline__ void leave_undecided(const Parameters& p, unsigned number) {
  if (threadIdx.x != 0) return;
  auto* undecided = reinterpret_cast<unsigned*>(p.undecided);
  undecided[4 + atomicAdd(undecided, 1u)] = p.first_query + number;
}

template <Metric metric>
__global__ void __launch_bounds__(256) refine(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ Key shared[];
  __shared__ unsigned summed[2][8];
  __shared__ std::uint32_t range[2];
  __shared__ unsigned survivors;
  // The number of this workgroup's query.
  unsigned number = blockIdx.x;
  if (p.selected != 0) {
    const auto* words = reinterpret_cast<const unsigned*>(p.selected);
    if (p.first_selected + blockIdx.x >= words[0]) return;
    number = words[4 + p.first_selected + blockIdx.x];
  }
  const unsigned list_length = launch.constants[2];
  Key* keys = shared;
  auto* pool = reinterpret_cast<Candidate*>(keys + list_length);
  if (threadIdx.x == 0) {
    survivors = 0;
    range[0] = 0xFFFFFFFFu;
    range[1] = 0;
  }
  __syncthreads();

  const QueryBounds bounds(p.query_bounds, blockIdx.x);
  const unsigned held = bounds.certifiable() ? gather(p, bounds, pool, launch.constants[3], range) : 0;
  bool decided = held >= p.k;
  if (decided) {
    Sums sum{summed};
    const std::uint32_t kth =
        select_key(p.k, p.k / 8 + 1, range[0], range[1], [&](std::uint32_t limit) {
          unsigned below = 0;
          for (unsigned i = threadIdx.x; i < held; i += blockDim.x) below += pool[i].lower <= limit;
          return sum(below);
        });
    const float lower = value_of_key(kth);
    const float least = bounds.threshold(lower);
    for (unsigned i = threadIdx.x; i < held; i += blockDim.x)
      if (!(pool[i].upper < least)) {
        const unsigned at = atomicAdd(&survivors, 1u);
        if (at < list_length) keys[at] = pool[i].row;
      }
    __syncthreads();
    decided = survivors <= list_length && QueryBounds::certifies(lower) && isfinite(least);
  }
  if (!decided) {
    leave_undecided(p, number);
    return;
  }
  unsigned size = 2;
  while (size < survivors) size *= 2;
  for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
    const auto row = static_cast<std::uint32_t>(keys[i]);
    keys[i] = i < survivors ? make_key(distance_key<metric>(canonical_distance<metric>(p, number, row)), row)
                            : no_row;
  }
  __syncthreads();
  sort_keys(keys, size);
  // Where the k-th distance overflows, so may those of rows that were discarded.
  if (!isfinite(decoded_distance(keys[p.k - 1], metric == Metric::ip, false))) {
    leave_undecided(p, number);
    return;
  }
  for (unsigned rank = threadIdx.x; rank < p.k; rank += blockDim.x) {
    const std::uint64_t at = std::uint64_t{number} * p.k + rank;
    reinterpret_cast<std::uint32_t*>(p.indices)[at] = decoded_index(keys[rank]);
    reinterpret_cast<float*>(p.distances)[at] =
        decoded_distance(keys[rank], metric == Metric::ip, p.root != 0);
  }
}

}  // namespace

Kernel kernels::screen_refine(const Pass& pass) {
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > 256) return {};
  const std::uint32_t bytes = shared_bytes(pass.constants[3], pass.constants[2]);
  return for_metric(pass.constants[1], [&](auto metric) {
    return variant(refine<decltype(metric)::value>, bytes);
  });
}

}  // namespace proxel::cuda
