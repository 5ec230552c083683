#pragma once

// What expected times share.

#include <cstdint>

#include "proxel/search.hpp"

namespace proxel::index {

/// The sizes as real numbers.
struct Sizes {
  double n, d, q, k;
  explicit Sizes(const SearchDescription& description)
      : n(static_cast<double>(description.rows)),
        d(description.dimensions),
        q(static_cast<double>(description.queries)),
        k(static_cast<double>(description.k)) {}
};

/// What all queries take, one block of them after another.
/// @param block         queries of each but the last, at least 1
/// @param milliseconds  what so many queries take
template <typename Milliseconds>
double over_blocks(std::uint64_t queries, std::uint64_t block, const Milliseconds& milliseconds) {
  const std::uint64_t whole = queries / block, left = queries % block;
  const double of_whole = whole == 0 ? 0 : static_cast<double>(whole) * milliseconds(block);
  return of_whole + (left == 0 ? 0 : milliseconds(left));
}

/// From this many neighbours on they are counted, not sorted (ScreenedPlan), and more of them cost hardly more.
inline constexpr double counted_neighbors = 257;
/// Multiprocessors of the devices that all of this was measured on. Fewer tiles of 128 rows and queries than these have half as many of both.
inline constexpr double multiprocessors = 132;

}  // namespace proxel::index
