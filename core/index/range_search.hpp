#pragma once

#include "index/storage.hpp"
#include "proxel/index.hpp"
#include "proxel/range.hpp"

namespace proxel::index {

/// Range searches over the tiles of an index.
class RangeSearch {
 public:
  /// @param description  radius, metric, filter, rows, dimensions and scratch limit;
  ///                     queries are those of a block
  RangeSearch(Storage& storage, const RangeDescription& description, Timing timing)
      : storage_(storage), description_(description), timing_(timing) {}

  /// Appends the neighbours of a block of queries. Adds to the times.
  /// @param filter  what description.filter says of these queries
  void run(const MatrixView<float>& queries, const MatrixView<std::uint32_t>& filter,
           RangeNeighbors& found, SearchTimes& times);

 private:
  Storage& storage_;
  RangeDescription description_;
  Timing timing_;
};

}  // namespace proxel::index
