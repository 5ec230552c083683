#pragma once

// What expected times share.

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

/// From this many neighbours on they are counted, not sorted (ScreenedPlan), and more of them cost hardly more.
inline constexpr double counted_neighbors = 257;
/// Multiprocessors of the devices that all of this was measured on. Fewer tiles of 128 rows and queries than these have half as many of both.
inline constexpr double multiprocessors = 132;

}  // namespace proxel::index
