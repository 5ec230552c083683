#pragma once

// Strings as kernels read them (proxel/passes/levenshtein.h).

#include <cstdint>
#include <vector>

#include "proxel/strings.hpp"

namespace proxel::strings {

/// Symbols of a string, at most: distances reach the longer string's length, and are exact in binary32.
inline constexpr std::uint64_t most_symbols = (std::uint64_t{1} << 24) - 1;

/// The different symbols of some strings, numbered from 0 in ascending order.
class Alphabet {
 public:
  explicit Alphabet(const Strings& strings, const Strings& more = Strings());

  std::uint32_t size() const { return static_cast<std::uint32_t>(symbols_.size()); }
  /// The number of a symbol; size() for one that no string has.
  std::uint32_t number(std::uint32_t symbol) const;

 private:
  std::vector<std::uint32_t> symbols_;
  // The numbers of symbols below its size; the others are looked up.
  std::vector<std::uint32_t> numbers_;
};

/// Bytes that kernels read a symbol's number from: 1, 2 or 4.
std::uint32_t symbol_bytes_of(std::uint32_t alphabet);

/// In order of (length, index), in blocks of 32, symbol by symbol.
struct PackedStrings {
  PackedStrings(const Strings& strings, const Alphabet& alphabet);

  std::uint32_t symbol_bytes;              ///< 1, 2 or 4
  std::vector<std::uint32_t> symbols;      ///< lines of 32 words; at least one word
  std::vector<std::uint32_t> block_lines;  ///< [blocks]
  std::vector<std::uint32_t> lengths;      ///< [strings], by place
  std::vector<std::uint32_t> numbers;      ///< [strings]: the string at each place
  std::vector<std::uint32_t> places;       ///< [strings]: the place of each string
};

}  // namespace proxel::strings
