#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/filter.cuh"
#include "kernels/order.cuh"
#include "kernels/variant.cuh"
#include "kernels/warp_sum.cuh"
#include "proxel/passes/list_distances.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ListDistancesParameters;

constexpr unsigned most_threads = 512;
constexpr unsigned fours = passes::distances_fours;

__device__ __forceinline__ const uint4* keys_of(const Parameters& p) {
  return reinterpret_cast<const uint4*>(reinterpret_cast<const std::uint32_t*>(p.keys) +
                                        std::uint64_t{blockIdx.y} * p.keys_stride);
}

// Every column's value, at its place.
__global__ void __launch_bounds__(most_threads) write_all(const Parameters p) {
  follow_previous_pass();
  const bool largest = p.largest_first != 0;
  const uint4* keys = keys_of(p);
  auto* values =
      reinterpret_cast<float4*>(reinterpret_cast<float*>(p.values) + std::uint64_t{blockIdx.y} * p.values_stride);
  const std::uint32_t vectors = p.columns / 4 + (p.columns % 4 != 0 ? 1u : 0u);
  for (std::uint32_t vector = blockIdx.x * blockDim.x + threadIdx.x; vector < vectors;
       vector += gridDim.x * blockDim.x) {
    const uint4 four = keys[vector];
    values[vector] = make_float4(value_of_key(four.x, largest), value_of_key(four.y, largest),
                                 value_of_key(four.z, largest), value_of_key(four.w, largest));
  }
}

/// The sum of the numbers of all threads, which all call it.
/// @param shared  for each warp, and one more
__device__ __forceinline__ unsigned workgroup_sum(unsigned number, unsigned* shared) {
  const unsigned before = sum_before(number, shared);
  if (threadIdx.x == blockDim.x - 1) shared[most_threads / 32] = before + number;
  __syncthreads();
  const unsigned sum = shared[most_threads / 32];
  __syncthreads();
  return sum;
}

// Counts or lists what is admitted of a part.
template <bool lists>
__global__ void __launch_bounds__(most_threads) list_part(const Parameters p) {
  follow_previous_pass();
  __shared__ unsigned shared[most_threads / 32 + 1];
  const bool largest = p.largest_first != 0;
  const std::uint32_t query = blockIdx.y, part = p.first_part + blockIdx.x;
  const After after(p.after, p.after_stride, query);
  const Filter filter(p.filter_bits, p.filter_stride, query);
  const uint4* keys = keys_of(p);
  auto* values = reinterpret_cast<float*>(p.values) + std::uint64_t{query} * p.values_stride;
  auto* rows = reinterpret_cast<std::uint32_t*>(p.rows) + std::uint64_t{query} * p.values_stride;
  auto* counts = reinterpret_cast<std::uint32_t*>(p.counts) + std::uint64_t{query} * p.counts_stride;
  std::uint32_t listed = 0;
  if constexpr (lists) {
    for (std::uint32_t before = threadIdx.x; before < part; before += blockDim.x) listed += counts[before];
    listed = workgroup_sum(listed, shared);
  }
  const std::uint32_t begin = blockIdx.x * p.part_columns;
  const std::uint32_t end = begin + min(p.part_columns, p.columns - begin);
  unsigned counted = 0;
  for (std::uint32_t base = begin; base < end; base += 4 * fours * blockDim.x) {
    const std::uint32_t first = base + 4 * fours * threadIdx.x;
    std::uint32_t key[4 * fours];
    unsigned admitted = 0;
#pragma unroll
    for (unsigned v = 0; v < fours; ++v) {
      const std::uint32_t column = first + 4 * v;
      if (column >= end) continue;
      const uint4 four = keys[column / 4];
      key[4 * v] = four.x;
      key[4 * v + 1] = four.y;
      key[4 * v + 2] = four.z;
      key[4 * v + 3] = four.w;
      const unsigned some = filter.four(p.first_index + column, p.first_index + p.columns - 1);
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        const bool there = column + j < end && (some >> j & 1u) != 0;
        if (there && !(after.given && make_key(key[4 * v + j], p.first_index + column + j) <= after.key))
          admitted |= 1u << (4 * v + j);
      }
    }
    const unsigned mine = __popc(admitted);
    counted += mine;
    if constexpr (lists) {
      std::uint32_t slot = listed + sum_before(mine, shared);
#pragma unroll
      for (unsigned i = 0; i < 4 * fours; ++i) {
        if ((admitted >> i & 1u) == 0) continue;
        values[slot] = value_of_key(key[i], largest);
        rows[slot] = p.first_index + first + i;
        ++slot;
      }
      if (threadIdx.x == blockDim.x - 1) shared[most_threads / 32] = slot;
      __syncthreads();
      listed = shared[most_threads / 32];
      __syncthreads();
    }
  }
  if constexpr (!lists) {
    counted = workgroup_sum(counted, shared);
    if (threadIdx.x == 0) counts[part] = counted;
  }
}

}  // namespace

PROXEL_KERNEL(list_distances)(const Pass& pass) {
  if (!whole_warps(pass.workgroup_size) || pass.workgroup_size > most_threads) return {};
  switch (pass.constants_as<passes::ListDistancesConstants>().content) {
    case passes::distances_all:
      return variant(write_all);
    case passes::distances_counted:
      return variant(list_part<false>);
    case passes::distances_listed:
      return variant(list_part<true>);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
