#pragma once

// The order of candidates (proxel/passes/types.h) in plain C++.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace proxel::passes {

/// The key of a slot for which there is no row: larger than every row's key.
inline constexpr std::uint64_t no_row_key = UINT64_MAX;
/// The distance key of every NaN.
inline constexpr std::uint32_t nan_distance_key = UINT32_MAX;

/// The 32-bit key that orders values from best to worst: smallest first, or
/// largest first; NaN last in both, -0 as +0.
inline std::uint32_t distance_key(float value, bool largest_first) {
  if (std::isnan(value)) return nan_distance_key;
  const std::uint32_t bits = value == 0 ? 0u : std::bit_cast<std::uint32_t>(value);
  const bool negative = (bits & 0x80000000u) != 0;
  const std::uint32_t ascending = bits ^ (negative ? 0xFFFFFFFFu : 0x80000000u);
  return largest_first ? ~ascending : ascending;
}

/// The value that has this distance key; NaN as 0x7FC00000.
inline float value_of_distance_key(std::uint32_t key, bool largest_first) {
  if (key == nan_distance_key) return std::bit_cast<float>(0x7FC00000u);
  const std::uint32_t ascending = largest_first ? ~key : key;
  const bool negative = (ascending & 0x80000000u) == 0;
  return std::bit_cast<float>(ascending ^ (negative ? 0xFFFFFFFFu : 0x80000000u));
}

/// The key of a row: by distance first, then by index.
constexpr std::uint64_t make_key(std::uint32_t distance_key, std::uint32_t index) {
  return std::uint64_t{distance_key} << 32 | index;
}
constexpr std::uint32_t distance_key_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
constexpr std::uint32_t index_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

/// The distance written into a slot for which there is no row.
constexpr float no_row_distance(bool largest_first) {
  return largest_first ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
}

}  // namespace proxel::passes
