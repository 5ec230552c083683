#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"
#include "table.hpp"

namespace proxel::tool {

/// Labels as classes: where every label is a number, "1.0" and "1" are one class.
/// @param both  of database and of queries; changed together
/// Throws Error(invalid_argument) where a label is empty or is NaN or infinite.
void make_classes(const std::vector<std::vector<std::string>*>& both);

/// Rows that are searched and rows that are held out as queries.
struct HeldOut {
  Matrix<float> database, queries;
  std::vector<std::string> database_labels, query_labels;  ///< empty without labels
};

/// Shuffles the rows and holds the last `count` out; the rest keeps the shuffled order.
HeldOut hold_out(const Matrix<float>& rows, const std::vector<std::string>& labels, std::uint64_t count,
                 std::uint64_t seed);

/// What the neighbours' labels say about each query.
struct Classification {
  std::vector<std::string> classes;  ///< every label there is, ascending, numbers by value
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
Classification classify(const Neighbors& found, const std::vector<std::string>& database_labels,
                        const std::vector<std::string>& query_labels);

/// The number that a label is, or nothing.
std::optional<double> number_of(const std::string& label);

}  // namespace proxel::tool
