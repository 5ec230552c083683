#pragma once

// IEEE binary16 as screened operands use it: no subnormal numbers, no infinities.

#include <algorithm>
#include <bit>
#include <cstdint>

namespace proxel::passes {

inline constexpr float largest_half = 65504.0f;

/// The half nearest to a finite value, ties to even; +0 where that is subnormal,
/// the largest of its sign where the value is beyond.
inline std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  // 2^-14 - 2^-25 is the least that rounds to the smallest normal half, 2^-14.
  if (magnitude < 0x387FE000u) return 0;
  magnitude = std::clamp(magnitude, 0x38800000u, 0x477FE000u);
  const std::uint32_t to_even = magnitude >> 13 & 1u;
  return static_cast<std::uint16_t>(sign | (magnitude - 0x38000000u + 0xFFFu + to_even) >> 13);
}

/// The value of a half that is zero or normal.
inline float from_half(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7FFFu;
  const std::uint32_t sign = (half & 0x8000u) << 16;
  return std::bit_cast<float>(sign | (magnitude == 0 ? 0u : (magnitude << 13) + 0x38000000u));
}

}  // namespace proxel::passes
