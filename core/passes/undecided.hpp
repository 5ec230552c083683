#pragma once

// Which queries scan_undecided and merge_undecided serve, and how they share the lists.

#include <algorithm>
#include <cstdint>

#include "passes/memory.hpp"

namespace proxel::passes {

struct Undecided {
  std::uint32_t count;           ///< queries served
  std::uint32_t groups;          ///< lists of each query
  const std::uint32_t* numbers;  ///< the queries' numbers

  /// @param undecided  screen_refine's: count, 3 words, numbers
  Undecided(std::uint64_t undecided, std::uint32_t first, std::uint32_t lists, std::uint32_t most_groups)
      : count(0), groups(1), numbers(at<const std::uint32_t>(undecided) + 4 + first) {
    const std::uint32_t all = *at<const std::uint32_t>(undecided);
    count = std::min(all > first ? all - first : 0, lists);
    if (count != 0) groups = std::clamp(lists / count, 1u, most_groups);
  }
};

}  // namespace proxel::passes
