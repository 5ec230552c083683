#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// The first slot in which two answers differ.
struct Difference {
  std::uint64_t query = 0;
  std::uint64_t slot = 0;
  std::uint32_t expected_index = 0, index = 0;
  float expected_distance = 0, distance = 0;
  std::uint64_t slots = 0;  ///< how many differ in all

  /// "query 3, slot 0: row 17 at 0.5 where 12 at 0.5 is expected; 4 slots differ"
  std::string text() const;
};

/// Compares bit for bit, distances included. Nothing where they are identical.
/// Both answers are [queries x k] of the same shape.
std::optional<Difference> first_difference(const Neighbors& expected, const Neighbors& found);

}  // namespace proxel::tool
