#pragma once

#include <cstdint>
#include <vector>

#include "proxel/neighbors.hpp"

namespace proxel::search {

/// Neighbours that queries are known to have, where they are merged ordered (proxel/merge.hpp), in memory of another's.
struct OrderedRows {
  const std::uint32_t* indices;
  const float* distances;
  std::uint64_t rows, columns;
  std::uint64_t first_index = 0;  // of row 0
};

inline OrderedRows rows_of(const Neighbors& found) {
  return {found.indices.data(), found.distances.data(), found.indices.rows(), found.indices.columns()};
}

/// The key that an ordered neighbour is compared by.
/// @param first_index  what its number is counted from
std::uint64_t key_of(std::uint32_t index, float distance, std::uint64_t first_index, bool largest_first);

/// Merges ordered neighbours into the k nearest so far. A row that is among both is there once.
class RowMerge {
 public:
  explicit RowMerge(bool largest_first) : largest_first_(largest_first) {}

  /// Queries first … first + count - 1 are without any neighbour.
  void pad(Neighbors& nearest, std::uint64_t first, std::uint64_t count) const;
  /// @param first  query of `nearest` that the first row is of
  void add(const OrderedRows& rows, Neighbors& nearest, std::uint64_t first);

 private:
  bool largest_first_;
  std::vector<std::uint64_t> kept_, added_;  // keys of one query, k of each
};

}  // namespace proxel::search
