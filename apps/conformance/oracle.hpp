#pragma once

// The oracle: what the contract says the answer is, by brute force.
//
// Written from the contract alone; it shares no code with the library beside
// the types of its public headers, and is itself tested with wrong answers.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "proxel/matrix.hpp"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::conformance {

/// A search whose answer is asked for. Does not own its data.
struct Question {
  MatrixView<float> database;  ///< [n x d]
  MatrixView<float> queries;   ///< [q x d]
  Metric metric = Metric::l2sq;
  std::uint64_t k = 1;
  /// 0 where a row may not be returned, [1 x n] for all queries or [q x n];
  /// without data every row may.
  MatrixView<std::uint8_t> allowed = {};
};

/// The answer of the contract: to the bit, or for cosine and pearson the real
/// answer in long double, rounded, with which bounded_difference() compares.
Neighbors oracle_answer(const Question& question);

/// Every row within a radius of each query.
struct RangeAnswer {
  std::vector<std::uint64_t> offsets;  ///< [q + 1]: query i's are offsets[i] … offsets[i + 1] - 1
  std::vector<std::uint32_t> indices;
  std::vector<float> distances;
};

/// The answer of the contract, to the bit. The question's k is not looked at.
RangeAnswer oracle_range(const Question& question, float radius);

/// Empty where both are the same bits; otherwise the first slot that differs,
/// both contents, and how many slots differ.
std::string difference(const Neighbors& expected, const Neighbors& actual);

/// For data that the contract exempts from bit-identity, because devices may
/// flush denormals to zero: rows sorted, indices valid and unique, distances
/// within the bound of flushing and rounding, and every row that is nearer
/// than the k-th by more than the bound present. Empty where all of that
/// holds; otherwise what does not. The question's values must be finite.
std::string incompatibility(const Question& question, const Neighbors& actual);

/// How far an answer by other arithmetic than the canonical may lie from the exact one. Not for cosine and pearson.
struct Tolerance {
  /// How far the distance of that row may be off.
  /// @param magnitude  the sum of the magnitudes of the exact distance's terms; of l2 the root of the sum
  std::function<double(std::uint64_t query, std::uint64_t row, double magnitude)> of_distance;
  /// Whether rows at the same distance are in the order of their indices.
  bool ties_by_index = true;
};

/// As incompatibility(), with that tolerance.
std::string disagreement(const Question& question, const Neighbors& actual, const Tolerance& tolerance);

/// How far the distances of an answer lie from double precision: the largest
/// |value - exact| / (sum of the magnitudes of the exact terms); values that
/// are not finite, and padding, are passed over.
double largest_relative_error(const Question& question, const Neighbors& actual);

/// What largest_relative_error() may be for canonical values of d dimensions:
/// every rounding against it.
double rounding_bound(std::uint64_t dimensions);

}  // namespace proxel::conformance
