#pragma once

// What the caller sees of a key.

#include "kernels/order.cuh"
#include "proxel/passes/types.h"

namespace proxel::cuda {

__device__ __forceinline__ std::uint32_t decoded_index(Key key) { return static_cast<std::uint32_t>(key); }

/// The value whose distance key this is; the key of a NaN gives the quiet NaN.
__device__ __forceinline__ float value_of_key(std::uint32_t distance_key, bool largest_first) {
  if (distance_key == 0xFFFFFFFFu) return __uint_as_float(0x7FC00000u);
  return ascending_value(largest_first ? ~distance_key : distance_key);
}

/// @param finish  what is done last to what was accumulated (passes/types.h)
__device__ __forceinline__ float decoded_distance(Key key, bool largest_first, std::uint32_t finish) {
  using namespace passes;
  if (key == no_row) return __uint_as_float(largest_first && finish != finish_complement ? 0xFF800000u : 0x7F800000u);
  const float distance = value_of_key(static_cast<std::uint32_t>(key >> 32), largest_first);
  // A NaN keeps its bits.
  if (finish == finish_none || distance != distance) return distance;
  return finish == finish_root ? __fsqrt_rn(distance) : __fsub_rn(1.0f, distance);
}

}  // namespace proxel::cuda
