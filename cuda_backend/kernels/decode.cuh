#pragma once

// What the caller sees of a key.

#include "kernels/order.cuh"

namespace proxel::cuda {

__device__ __forceinline__ std::uint32_t decoded_index(Key key) {
  return static_cast<std::uint32_t>(key);
}

/// The value whose distance key this is; the key of a NaN gives the quiet NaN.
__device__ __forceinline__ float value_of_key(std::uint32_t distance_key, bool largest_first) {
  if (distance_key == 0xFFFFFFFFu) return __uint_as_float(0x7FC00000u);
  const std::uint32_t ascending = largest_first ? ~distance_key : distance_key;
  return __uint_as_float(ascending & 0x80000000u ? ascending ^ 0x80000000u : ~ascending);
}

/// @param root  the distance is the square root of what was accumulated
__device__ __forceinline__ float decoded_distance(Key key, bool largest_first, bool root) {
  if (key == no_row) return __uint_as_float(largest_first ? 0xFF800000u : 0x7F800000u);
  const float distance = value_of_key(static_cast<std::uint32_t>(key >> 32), largest_first);
  return root ? __fsqrt_rn(distance) : distance;
}

}  // namespace proxel::cuda
