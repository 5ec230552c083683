#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "passes/order.hpp"

namespace proxel::passes {

/// Puts the k smallest of the keys in front, ascending. @param k  at most their number
inline void sort_smallest(std::span<std::uint64_t> keys, std::size_t k) {
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(k);
  if (end != keys.end()) std::nth_element(keys.begin(), end, keys.end());
  std::sort(keys.begin(), end);
}

/// Writes the k smallest of the keys, ascending, padded with the no-row key.
/// Clobbers the keys' order.
inline void write_smallest(std::vector<std::uint64_t>& keys, std::uint32_t k, std::uint64_t* to) {
  const std::size_t found = std::min<std::size_t>(k, keys.size());
  sort_smallest(keys, found);
  std::copy_n(keys.begin(), found, to);
  std::fill(to + found, to + k, no_row_key);
}

}  // namespace proxel::passes
