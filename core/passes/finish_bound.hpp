#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "passes/decoded_distance.hpp"

namespace proxel::passes {

/// The largest binary32 whose correctly rounded square root is at most `bound`,
/// which is not NaN; a negative bound is returned as it is, for no value has
/// such a root.
inline float largest_with_root_at_most(float bound) {
  if (bound < 0) return bound;
  // Bits of values that are not negative order as integers.
  std::uint32_t least = 0;            // its root is at most the bound
  std::uint32_t above = 0x7F800001u;  // past infinity
  while (above - least > 1) {
    const std::uint32_t middle = least + (above - least) / 2;
    (std::sqrt(std::bit_cast<float>(middle)) <= bound ? least : above) = middle;
  }
  return std::bit_cast<float>(least);
}

/// The smallest binary32 v for which 1 - v, rounded, is at most `bound`, which
/// is not NaN.
inline float least_with_complement_at_most(float bound) {
  // Distance keys of largest first ascend with 1 - v.
  std::uint32_t least = distance_key(std::numeric_limits<float>::infinity(), true);
  std::uint32_t above = distance_key(-std::numeric_limits<float>::infinity(), true) + 1;
  while (above - least > 1) {
    const std::uint32_t middle = least + (above - least) / 2;
    (1.0f - value_of_distance_key(middle, true) <= bound ? least : above) = middle;
  }
  return value_of_distance_key(least, true);
}

/// The last value, in the order of its metric, that is seen as `distance` or
/// nearer once it is finished (types.h); NaN stays.
inline float last_seen_within(float distance, std::uint32_t finish) {
  if (std::isnan(distance)) return distance;
  if (finish == finish_root) return largest_with_root_at_most(distance);
  return finish == finish_complement ? least_with_complement_at_most(distance) : distance;
}

}  // namespace proxel::passes
