#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"
#include "table.hpp"

namespace proxel::tool {

/// Takes one column out of a matrix.
/// @param column  "last", or a position from 0
/// Throws Error(invalid_argument) where there is no such column or no other.
std::vector<float> take_column(Matrix<float>& matrix, const std::string& column);

/// Rows that are searched and rows that are held out as queries.
struct HeldOut {
  Matrix<float> database, queries;
  std::vector<float> database_labels, query_labels;  ///< empty without labels
};

/// Shuffles the rows and holds the last `count` out; the rest keeps the shuffled order.
HeldOut hold_out(const Matrix<float>& rows, const std::vector<float>& labels, std::uint64_t count,
                 std::uint64_t seed);

/// Maps every dimension to [0, 1] by the database's range; a dimension without
/// range becomes 0. Values that are not finite do not count for the range.
void scale_to_range(Matrix<float>& database, Matrix<float>& queries);

/// What the neighbours' labels say about each query.
struct Classification {
  std::vector<float> classes;  ///< every label there is, ascending
  /// confusion[actual][predicted], counts of queries
  std::vector<std::vector<std::uint64_t>> confusion;
  std::uint64_t correct = 0;
  std::uint64_t queries = 0;

  double accuracy() const;
  /// Share of the queries that the most frequent class alone would get right.
  double majority_share() const;
  Table table() const;
};

/// The label that most of the k neighbours have; among labels with equally many
/// votes the one whose nearest neighbour is nearest wins.
Classification classify(const Neighbors& found, const std::vector<float>& database_labels,
                        const std::vector<float>& query_labels);

}  // namespace proxel::tool
