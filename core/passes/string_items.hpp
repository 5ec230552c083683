#pragma once

// What passes of distances between strings go through (levenshtein.h).

#include <algorithm>
#include <cstdint>
#include <limits>

#include "passes/string_blocks.hpp"

namespace proxel::passes {

/// A query, the strings that it is compared with, and where their distances belong.
class StringItems {
 public:
  StringItems(const LevenshteinParameters& parameters, std::uint64_t query) : p_(parameters), query_(query) {}

  std::uint64_t count() const { return p_.candidates == 0 ? p_.string_count : p_.candidate_count; }
  std::uint64_t place(std::uint64_t item) const {
    if (p_.candidates == 0) return item;
    return at<const std::uint32_t>(
        p_.places)[at<const std::uint32_t>(p_.candidates)[query_ * p_.candidate_stride + item]];
  }
  std::uint32_t string_length(std::uint64_t place) const { return at<const std::uint32_t>(p_.lengths)[place]; }
  std::uint32_t query_length() const {
    const auto* offsets = at<const std::uint32_t>(p_.offsets);
    return offsets[query_ + 1] - offsets[query_];
  }
  /// Whether the query has the symbol at place i.
  bool has(std::uint32_t symbol, std::uint32_t i) const {
    const auto* table = at<const std::uint32_t>(p_.tables) + query_ * p_.words * p_.alphabet;
    return (table[std::uint64_t{i / 32} * p_.alphabet + symbol] >> (i % 32) & 1u) != 0;
  }
  /// Places at which the query and a string differ.
  std::uint32_t hamming_distance(std::uint64_t place, std::uint32_t symbol_bytes) const {
    const std::uint32_t length = string_length(place);
    std::uint32_t distance = std::max(length, query_length());
    for (std::uint32_t i = 0; i < std::min(length, query_length()); ++i)
      if (has(symbol_at(p_, symbol_bytes, place, i), i)) --distance;
    return distance;
  }
  /// Writes the distance of an item whose string is in that place.
  void put(std::uint64_t item, std::uint64_t place, std::uint32_t distance) const {
    const std::uint64_t column = p_.listed != 0 ? item : at<const std::uint32_t>(p_.numbers)[place];
    at<float>(p_.distances)[query_ * p_.distance_stride + column] =
        distance <= p_.bound ? static_cast<float>(distance) : std::numeric_limits<float>::quiet_NaN();
  }

 private:
  const LevenshteinParameters& p_;
  std::uint64_t query_;
};

}  // namespace proxel::passes
