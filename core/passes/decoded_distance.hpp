#pragma once

#include <cmath>
#include <cstdint>

#include "passes/order.hpp"

namespace proxel::passes {

/// The distance that a caller sees for a key, or for no row (decode_keys.h).
inline float decoded_distance(std::uint64_t key, bool largest_first, bool root) {
  if (key == no_row_key) return no_row_distance(largest_first);
  const float distance = value_of_distance_key(distance_key_of(key), largest_first);
  // IEEE 754 requires the square root to be correctly rounded.
  return root && !std::isnan(distance) ? std::sqrt(distance) : distance;
}

}  // namespace proxel::passes
