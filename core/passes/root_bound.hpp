#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

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

}  // namespace proxel::passes
