#pragma once

// Keys order candidates by (distance, index); see proxel/passes/types.h.

#include <cstdint>

#include "proxel/metric.hpp"

namespace proxel::cuda {

using Key = unsigned long long;

/// Larger than every row's key.
constexpr Key no_row = ~Key{0};
constexpr unsigned all_lanes = 0xFFFFFFFFu;

/// Bits that order as numbers do, -0 before +0, and the number of such bits.
__device__ __forceinline__ std::uint32_t ascending_bits(float value) {
  const std::uint32_t bits = __float_as_uint(value);
  return bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x80000000u);
}
__device__ __forceinline__ float ascending_value(std::uint32_t ascending) {
  return __uint_as_float(ascending & 0x80000000u ? ascending ^ 0x80000000u : ~ascending);
}

/// The distance key of a number that may have either sign.
template <bool largest_first>
__device__ __forceinline__ std::uint32_t number_key(float number) {
  const std::uint32_t ascending = ascending_bits(__fadd_rn(number, 0.0f));  // -0 becomes +0
  return largest_first ? ~ascending : ascending;
}

/// The same of any value.
template <bool largest_first>
__device__ __forceinline__ std::uint32_t ordered_key(float value) {
  return value != value ? 0xFFFFFFFFu : number_key<largest_first>(value);
}

/// The distance key of an accumulated distance. All metrics but ip start at +0
/// and add or keep magnitudes, so that only the sign bit has to be set.
template <Metric metric>
__device__ __forceinline__ std::uint32_t distance_key(float distance) {
  if constexpr (metric == Metric::ip)
    return ordered_key<true>(distance);
  else
    return distance != distance ? 0xFFFFFFFFu : __float_as_uint(distance) | 0x80000000u;
}

__device__ __forceinline__ Key make_key(std::uint32_t distance_key, std::uint32_t index) {
  return Key{distance_key} << 32 | index;
}

__device__ __forceinline__ Key smaller(Key a, Key b) { return a < b ? a : b; }

/// The key behind which a query's search continues.
struct After {
  bool given;
  Key key;

  /// @param address  of one key per query, `stride` keys apart; 0 gives none
  __device__ After(std::uint64_t address, std::uint32_t stride, std::uint32_t query)
      : given(address != 0), key(given ? reinterpret_cast<const Key*>(address)[std::uint64_t{query} * stride] : 0) {}

  /// The key, or no_row where it is passed over.
  __device__ Key filter(Key candidate) const { return given && candidate <= key ? no_row : candidate; }
};

__device__ __forceinline__ Key warp_minimum(Key key) {
#pragma unroll
  for (unsigned distance = 16; distance != 0; distance /= 2)
    key = smaller(key, __shfl_xor_sync(all_lanes, key, distance));
  return key;
}

/// The smallest key of a workgroup of whole warps, in thread 0.
/// @param shared  a key per warp; not in use by anything else
__device__ __forceinline__ Key workgroup_minimum(Key key, Key* shared) {
  key = warp_minimum(key);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = key;
  __syncthreads();
  if (threadIdx.x < 32) key = warp_minimum(threadIdx.x < blockDim.x / 32 ? shared[threadIdx.x] : no_row);
  return key;
}

}  // namespace proxel::cuda
