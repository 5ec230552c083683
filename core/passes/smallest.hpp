#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "passes/order.hpp"

namespace proxel::passes {

/// Writes the k smallest of the keys, ascending, padded with the no-row key.
/// Clobbers the keys' order.
inline void write_smallest(std::vector<std::uint64_t>& keys, std::uint32_t k, std::uint64_t* to) {
  const std::size_t found = std::min<std::size_t>(k, keys.size());
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(found);
  if (end != keys.end()) std::nth_element(keys.begin(), end, keys.end());
  std::sort(keys.begin(), end);
  std::copy_n(keys.begin(), found, to);
  std::fill(to + found, to + k, no_row_key);
}

}  // namespace proxel::passes
