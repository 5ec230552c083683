#pragma once

#include <cstdint>

#include "passes/memory.hpp"

namespace proxel::passes {

/// Where the matches of one query lie (range_offsets.h): `count` from `first` on.
/// None where they do not all lie below the capacity.
struct Matches {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  Matches() = default;
  Matches(std::uint64_t offsets, std::uint64_t query, std::uint64_t capacity) {
    const auto* of_query = at<const std::uint64_t>(offsets) + query;
    if (of_query[1] > capacity) return;
    first = of_query[0];
    count = of_query[1] - of_query[0];
  }
};

}  // namespace proxel::passes
