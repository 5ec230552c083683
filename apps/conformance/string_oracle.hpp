#pragma once

// What the contract says of strings. Shares no code with the library.

#include <cstdint>
#include <string>
#include <vector>

#include "proxel/strings.hpp"

namespace proxel::conformance {

/// Symbols of one string.
using Symbols = std::vector<std::uint32_t>;

/// Kinds of strings, each chosen for what goes wrong with it.
enum class StringKind {
  words,        ///< 0 … 14 letters of 26, many of them near each other
  binary,       ///< 0 … 40 symbols of two: every distance small, many ties
  equal,        ///< the same string again and again, empty in some cases
  boundaries,   ///< lengths around 32, 64 and 256
  long_ones,    ///< up to 700 symbols: several strips of words
  nucleotides,  ///< of four symbols, some a few edits from each other
  planes,       ///< code points of all planes: thousands of different symbols
};
inline constexpr StringKind all_string_kinds[] = {
    StringKind::words,     StringKind::binary,      StringKind::equal, StringKind::boundaries,
    StringKind::long_ones, StringKind::nucleotides, StringKind::planes};

const char* to_string(StringKind kind);

/// `count` strings; queries are made with another seed and share some with the database.
std::vector<Symbols> make_strings(StringKind kind, std::uint64_t count, std::uint64_t seed);

/// Fills the table of distances between all prefixes (Wagner, Fischer 1974).
std::uint32_t oracle_levenshtein(const Symbols& a, const Symbols& b);
std::uint32_t oracle_distance(const Symbols& a, const Symbols& b, StringDistance distance);

/// The k nearest by (distance, index), padded.
Neighbors oracle_nearest_strings(const std::vector<Symbols>& database, const std::vector<Symbols>& queries,
                                 std::uint64_t k);
/// All within a radius, by (distance, index).
RangeNeighbors oracle_strings_within(const std::vector<Symbols>& database, const std::vector<Symbols>& queries,
                                     float radius, StringDistance distance);

/// UTF-8 of code points.
std::string encoded(const Symbols& code_points);

}  // namespace proxel::conformance
