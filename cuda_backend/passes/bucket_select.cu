#include "kernels/chain.cuh"
#include "kernels/radix.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/bucket_select.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::BucketSelectParameters;

constexpr unsigned bucket_count = passes::bucket_count;
// Buckets of a thread.
constexpr unsigned together = bucket_count / radix_threads;

// The keys among which the k-th is.
struct Range {
  unsigned low, high;
  unsigned rank;  // of the k-th among them, counted from 1

  __device__ __forceinline__ unsigned width() const { return (high - low) / bucket_count + 1; }

  // All threads call it.
  __device__ void narrow(const unsigned* buckets) {
    __shared__ unsigned shared[radix_threads / 32];
    __shared__ unsigned found_bucket;
    __shared__ unsigned found_rank;
    unsigned counts[together];
    unsigned count = 0;
    for (unsigned i = 0; i < together; ++i) count += counts[i] = buckets[threadIdx.x * together + i];
    unsigned before = sum_before(count, shared);
    if (before < rank && rank - before <= count) {
      unsigned i = 0;
      for (; i + 1 < together && rank - before > counts[i]; ++i) before += counts[i];
      found_bucket = threadIdx.x * together + i;
      found_rank = rank - before;
    }
    __syncthreads();
    const unsigned wide = width();
    low += found_bucket * wide;
    high = low + min(high - low, wide - 1);
    rank = found_rank;
    __syncthreads();
  }
};

// Calls take(key) for the keys of a row's columns that the workgroup strides over.
template <bool largest_first, typename Take>
__device__ __forceinline__ void for_keys(const Parameters& p, const Take& take) {
  const float* values = reinterpret_cast<const float*>(p.rows.values) + std::uint64_t{blockIdx.y} * p.rows.row_stride;
  const std::uint64_t step = std::uint64_t{gridDim.x} * radix_tile;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * radix_tile; first < p.rows.columns; first += step) {
    std::uint32_t keys[radix_items];
#pragma unroll
    for (unsigned i = 0; i < radix_items; ++i) {
      const std::uint64_t column = first + i * radix_threads + threadIdx.x;
      keys[i] = column < p.rows.columns ? ordered_key<largest_first>(values[column]) : 0;
    }
#pragma unroll
    for (unsigned i = 0; i < radix_items; ++i)
      if (first + i * radix_threads + threadIdx.x < p.rows.columns) take(keys[i]);
  }
}

template <bool largest_first>
__device__ void find_range(const Parameters& p, unsigned* range) {
  __shared__ unsigned smallest;
  __shared__ unsigned largest_complement;
  if (threadIdx.x == 0) smallest = largest_complement = 0xFFFFFFFFu;
  __syncthreads();
  unsigned low = 0xFFFFFFFFu;
  unsigned high = 0;
  for_keys<largest_first>(p, [&](std::uint32_t key) {
    low = min(low, key);
    high = max(high, key);
  });
  atomicMin(&smallest, __reduce_min_sync(all_lanes, low));
  atomicMin(&largest_complement, ~__reduce_max_sync(all_lanes, high));
  __syncthreads();
  if (threadIdx.x != 0) return;
  atomicMin(&range[0], smallest);
  atomicMin(&range[1], largest_complement);
}

template <bool largest_first>
__global__ void __launch_bounds__(radix_threads) count_buckets(const Parameters p) {
  follow_previous_pass();
  __shared__ unsigned counts[bucket_count];
  const std::uint64_t row = blockIdx.y;
  auto* range = reinterpret_cast<unsigned*>(p.ranges) + row * 2;
  if (p.round == 0) return find_range<largest_first>(p, range);
  auto* buckets = reinterpret_cast<unsigned*>(p.buckets) + row * passes::bucket_rounds * bucket_count;
  Range now{range[0], ~range[1], p.k};
  for (unsigned round = 1; round < p.round && now.low != now.high; ++round)
    now.narrow(buckets + (round - 1) * bucket_count);
  if (p.round > passes::bucket_rounds) {
    auto* histograms = reinterpret_cast<unsigned*>(p.histograms) + row * 4 * radix_digits;
    if (threadIdx.x < 4)
      histograms[threadIdx.x * radix_digits + (now.low >> (24 - 8 * threadIdx.x) & (radix_digits - 1))] = 0xFFFFFFFFu;
    return;
  }
  if (now.low == now.high) return;
  for (unsigned b = threadIdx.x; b < bucket_count; b += radix_threads) counts[b] = 0;
  __syncthreads();
  const unsigned wide = now.width();
  for_keys<largest_first>(p, [&](std::uint32_t key) {
    if (key >= now.low && key <= now.high) atomicAdd(&counts[(key - now.low) / wide], 1u);
  });
  __syncthreads();
  buckets += (p.round - 1) * bucket_count;
  for (unsigned b = threadIdx.x; b < bucket_count; b += radix_threads)
    if (counts[b] != 0) atomicAdd(&buckets[b], counts[b]);
}

}  // namespace

PROXEL_KERNEL(bucket_select)(const Pass& pass) {
  if (pass.workgroup_size != radix_threads) return {};
  return pass.constants_as<passes::BucketSelectConstants>().largest_first != 0 ? variant(count_buckets<true>)
                                                                               : variant(count_buckets<false>);
}

}  // namespace proxel::cuda
