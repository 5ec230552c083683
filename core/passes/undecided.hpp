#pragma once

// Which queries scan_undecided and merge_undecided serve, and how they share the lists.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "passes/memory.hpp"

namespace proxel::passes {

struct Undecided {
  std::uint32_t count = 0;             ///< queries served
  std::uint32_t groups = 1;            ///< lists of each query
  std::vector<std::uint32_t> numbers;  ///< the queries' numbers

  /// @param parameters  of either pass
  template <typename Parameters>
  explicit Undecided(const Parameters& parameters) {
    if (parameters.few != 0) append(parameters.few, parameters.most_few);
    append(parameters.undecided, UINT32_MAX);
    numbers.erase(numbers.begin(), numbers.begin() + std::min<std::size_t>(parameters.first_undecided, numbers.size()));
    if (numbers.size() > parameters.lists) numbers.resize(parameters.lists);
    count = static_cast<std::uint32_t>(numbers.size());
    if (count != 0) groups = std::clamp(parameters.lists / count, 1u, parameters.most_groups);
  }

 private:
  // @param list  screen_refine's: count, 3 words, numbers
  void append(std::uint64_t list, std::uint32_t most) {
    const auto* words = at<const std::uint32_t>(list);
    numbers.insert(numbers.end(), words + 4, words + 4 + std::min(words[0], most));
  }
};

}  // namespace proxel::passes
