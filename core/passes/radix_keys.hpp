#pragma once

// What the passes of a radix sort share, in plain C++.

#include <array>

#include "passes/selection_rows.hpp"

namespace proxel::passes {

inline constexpr std::uint32_t radix_digits = 256;
inline constexpr std::uint32_t radix_rounds = 4;
inline constexpr std::uint32_t not_counted = 0xFFFFFFFFu;

/// The high bits of a row's k-th smallest distance key.
struct RadixPrefix {
  std::uint32_t bits = 0;
  std::uint64_t rank = 0;  ///< the key's rank among the keys that begin with these bits, counted from 1

  /// Follows the histograms of the given number of rounds.
  RadixPrefix(const std::uint32_t* histograms, std::uint32_t rounds, std::uint64_t k) : rank(k) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const std::uint32_t* counts = histograms + round * radix_digits;
      std::uint32_t digit = 0;
      while (digit < radix_digits - 1 && rank > counts[digit]) rank -= counts[digit++];
      bits = bits << 8 | digit;
    }
  }
};

/// One row of a radix sort's source.
class RadixKeys {
 public:
  RadixKeys(const SelectionRows& rows, const RadixSource& source, std::uint64_t row, bool largest_first)
      : values_(row_values(rows, row)), source_(source), largest_first_(largest_first) {
    if (source.keys) keys_ = at<const std::uint64_t>(source.keys) + row * source.stride;
    if (source.histograms) {
      const auto* histograms = at<const std::uint32_t>(source.histograms) + row * radix_rounds * radix_digits;
      wanted_ = RadixPrefix(histograms, radix_rounds, source.k).bits;
    }
  }

  std::uint64_t key(std::uint32_t i) const {
    return keys_ ? keys_[i] : make_key(distance_key(values_[i], largest_first_), i);
  }

  std::uint32_t digit(std::uint64_t key) const {
    const std::uint32_t word = distance_key_of(key);
    if (!source_.histograms) return word >> source_.shift & (radix_digits - 1);
    return word > wanted_ ? not_counted : word == wanted_;
  }

 private:
  const float* values_;
  const std::uint64_t* keys_ = nullptr;
  const RadixSource& source_;
  bool largest_first_;
  std::uint32_t wanted_ = 0;
};

}  // namespace proxel::passes
