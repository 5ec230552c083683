#pragma once

#include <cstdint>
#include <vector>

#include "proxel/matrix.hpp"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// What an answer got wrong.
struct AccuracyVerdict {
  std::uint64_t neighbors = 0;  ///< that were judged: found ones of all queries
  std::uint64_t wrong = 0;      ///< farther than the true k-th; a tie with it is not wrong
  /// The error of a returned distance against the same row's in double precision;
  /// infinity where it is NaN, or is not 0 and should be.
  double largest_relative_error = 0;

  double share() const { return neighbors == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(neighbors); }
};

/// Brute force in double precision, for l2sq and l2.
class Truth {
 public:
  Truth(const Matrix<float>& database, const Matrix<float>& queries, std::uint64_t k);

  /// @param metric  l2sq or l2: what the answer's distances are
  AccuracyVerdict judge(const Neighbors& answer, Metric metric) const;

 private:
  double squared_distance(std::uint64_t query, std::uint64_t row) const;

  const Matrix<float>& database_;
  const Matrix<float>& queries_;
  std::uint64_t k_;
  std::vector<double> kth_;  // squared distance of each query's k-th nearest
};

}  // namespace proxel::tool
