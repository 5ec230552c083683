#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compare/answer.hpp"

namespace proxel::tool {

/// The first slot in which two answers differ. A slot past the end of one list holds no_neighbor.
struct Difference {
  std::uint64_t query = 0;
  std::uint64_t slot = 0;
  std::uint32_t expected_index = 0, index = 0;
  float expected_distance = 0, distance = 0;
  std::uint64_t expected_count = 0, count = 0;  ///< slots that this query's lists have
  std::uint64_t slots = 0;                      ///< how many differ in all

  /// "query 3, slot 0: row 17 at 0.5 (0x3f000000) where row 12 at 0.5 (0x3f000000) is expected; 4 slots differ"
  std::string text() const;
};

/// Compares bit for bit, distances and counts included. Nothing where they are identical.
/// Both answers are to the same queries.
std::optional<Difference> first_difference(const AnswerView& expected, const AnswerView& found);

}  // namespace proxel::tool
