#pragma once

#include <cstdint>

#include "proxel/ground_truth.hpp"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// The nearest of the rows that have been searched so far, by numbers of any size.
class RunningAnswer {
 public:
  RunningAnswer(std::uint64_t queries, std::uint64_t k, Metric metric);
  /// One that was kept: see so_far().
  RunningAnswer(GroundTruth kept, Metric metric);

  /// Merges the answer of the rows that follow all those before, ordered (SearchOptions::ordered), [queries x min(k, rows)
  /// or more].
  /// @param first  the number of row 0 of them
  void add(const Neighbors& found, std::uint64_t first);

  /// Distances are as rows are ordered by them.
  const GroundTruth& so_far() const { return nearest_; }
  /// The answer, with distances as a search returns them.
  GroundTruth finished() const;

 private:
  Neighbors by_place() const;

  GroundTruth nearest_;
  Metric metric_;
};

}  // namespace proxel::tool
