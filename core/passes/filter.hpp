#pragma once

// The rows that a search may return (proxel/passes/types.h).

#include <bit>
#include <cstdint>

#include "passes/memory.hpp"

namespace proxel::passes {

/// One query's filter. Does not own its words.
class Filter {
 public:
  /// @param address  of the words; 0 allows every row
  /// @param stride   words between the filters of queries; 0: one for all
  Filter(std::uint64_t address, std::uint64_t query, std::uint32_t stride)
      : words_(address == 0 ? nullptr : at<const std::uint32_t>(address) + query * stride) {}

  bool given() const { return words_ != nullptr; }
  bool allows(std::uint64_t index) const { return !words_ || (words_[index / 32] >> (index % 32) & 1u) != 0; }
  /// Whether any of the rows first … first + count - 1 is allowed; count is at least 1.
  bool allows_any(std::uint64_t first, std::uint64_t count) const {
    if (!words_) return true;
    const std::uint64_t last = first + count - 1;
    const std::uint32_t from_first = ~0u << (first % 32);
    const std::uint32_t to_last = ~0u >> (31 - last % 32);
    if (first / 32 == last / 32) return (words_[first / 32] & from_first & to_last) != 0;
    if ((words_[first / 32] & from_first) != 0 || (words_[last / 32] & to_last) != 0) return true;
    for (std::uint64_t word = first / 32 + 1; word < last / 32; ++word)
      if (words_[word] != 0) return true;
    return false;
  }

  /// Calls visit(i) for every allowed row first + i, i < count, in ascending
  /// order. The filter is given; rows left out cost next to nothing.
  template <typename Visit>
  void for_each_allowed(std::uint64_t first, std::uint64_t count, const Visit& visit) const {
    for (std::uint64_t row = first; row < first + count; row = (row / 32 + 1) * 32) {
      std::uint32_t bits = words_[row / 32] & ~0u << (row % 32);
      for (; bits != 0; bits &= bits - 1) {
        const std::uint64_t i = row / 32 * 32 + static_cast<std::uint64_t>(std::countr_zero(bits)) - first;
        if (i >= count) return;
        visit(i);
      }
    }
  }

 private:
  const std::uint32_t* words_;
};

}  // namespace proxel::passes
