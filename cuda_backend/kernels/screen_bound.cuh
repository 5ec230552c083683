#pragma once

// What bounds the scores of a screened search; see docs/exactness.md.

#include "kernels/order.cuh"

namespace proxel::cuda {

/// A query's bounds as screen_pack wrote them.
struct QueryBounds {
  float4 error;  // A, B, C, certifiable
  float4 slack;  // half_norm, relative_slack, fixed_slack

  __device__ QueryBounds(std::uint64_t address, std::uint64_t query)
      : error(reinterpret_cast<const float4*>(address)[2 * query]),
        slack(reinterpret_cast<const float4*>(address)[2 * query + 1]) {}

  __device__ bool certifiable() const { return error.w != 0.0f; }

  /// What a score to a row of a tile may err by.
  __device__ float error_in(const float4& tile) const {
    return error.x * tile.x + error.y * tile.y + error.z * tile.z + tile.w;
  }

  /// The true score below which no row is among the nearest, given that as many
  /// rows score at least `least` truly. Not finite where `least` is not.
  __device__ float threshold(float least) const {
    const float rounding = 0x1p-20f * (fabsf(least) + slack.x);
    return least - slack.y * fmaxf(slack.x - least, 0.0f) - slack.z - rounding;
  }
};

/// The value whose ordered_key<true> this is.
__device__ __forceinline__ float value_of_key(std::uint32_t key) {
  const std::uint32_t ascending = ~key;
  return __uint_as_float(ascending & 0x80000000u ? ascending ^ 0x80000000u : ~ascending);
}

/// The key of rank k - 1 among all keys, by halving the range of keys.
/// @param count  number of keys below its argument, known to every thread
template <typename Count>
__device__ __forceinline__ std::uint32_t select_key(unsigned k, const Count& count) {
  std::uint32_t found = 0;
  for (std::uint32_t bit = 0x80000000u; bit != 0; bit >>= 1)
    if (count(found | bit) < k) found |= bit;
  return found;
}

}  // namespace proxel::cuda
