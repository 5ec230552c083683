#include "compatibility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace proxel::conformance {
namespace {

// One query's answer: the distance of each neighbour, and of the last.
struct Row {
  std::map<std::uint32_t, float> distances;
  double last = std::numeric_limits<double>::infinity();  // where there is padding, which ranks last
};

// NaN ranks behind every number and before padding.
double rank_of(float distance) { return std::isnan(distance) ? std::numeric_limits<double>::max() : double{distance}; }

// Takes one row of an answer apart, or says what is wrong with it.
std::string read_row(const Neighbors& answer, std::uint64_t query, std::uint64_t rows, Row& row) {
  bool padding = false;
  for (std::uint64_t rank = 0; rank < answer.indices.columns(); ++rank) {
    const std::uint32_t index = answer.indices(query, rank);
    const float distance = answer.distances(query, rank);
    if (index == no_neighbor) {
      if (distance != std::numeric_limits<float>::infinity())
        return fmt::format("rank {}: padding at distance {}", rank, distance);
      padding = true;
      continue;
    }
    if (padding) return fmt::format("rank {}: row {} after padding", rank, index);
    if (index >= rows) return fmt::format("rank {}: row {} does not exist", rank, index);
    if (rank != 0 && rank_of(distance) < rank_of(answer.distances(query, rank - 1)))
      return fmt::format("rank {}: {} comes after {}", rank, distance, answer.distances(query, rank - 1));
    if (!row.distances.emplace(index, distance).second)
      return fmt::format("rank {}: row {} appears twice", rank, index);
    row.last = rank_of(distance);
  }
  if (padding) row.last = std::numeric_limits<double>::infinity();
  return {};
}

// What `one` holds that `other` must hold too.
std::string missing(const Row& one, const Row& other, double bound, const char* where) {
  for (const auto& [index, distance] : one.distances) {
    const auto match = other.distances.find(index);
    if (match == other.distances.end()) {
      const double last = std::max(one.last, other.last);
      if (rank_of(distance) < last - bound)
        return fmt::format("row {} at {} is missing {}, the k-th is at {}", index, distance, where, last);
      continue;
    }
    const bool agree =
        std::isnan(distance) ? std::isnan(match->second) : std::fabs(double{distance} - match->second) <= bound;
    if (!agree)
      return fmt::format("row {}: {} and {} are further apart than {:g}", index, distance, match->second, bound);
  }
  return {};
}

}  // namespace

std::string bounded_difference(const Neighbors& expected, const Neighbors& actual, std::uint64_t rows, double bound) {
  const auto same_shape = [](const auto& a, const auto& b) {
    return a.rows() == b.rows() && a.columns() == b.columns();
  };
  if (!same_shape(expected.indices, actual.indices) || !same_shape(expected.distances, actual.distances) ||
      !same_shape(expected.indices, expected.distances))
    return fmt::format("expected {} x {}, got {} x {}", expected.indices.rows(), expected.indices.columns(),
                       actual.indices.rows(), actual.indices.columns());
  for (std::uint64_t query = 0; query < expected.indices.rows(); ++query) {
    Row wanted, got;
    if (std::string text = read_row(expected, query, rows, wanted); !text.empty())
      return fmt::format("query {}: in the expected answer, {}", query, text);
    if (std::string text = read_row(actual, query, rows, got); !text.empty())
      return fmt::format("query {}: {}", query, text);
    if (wanted.distances.size() != got.distances.size())
      return fmt::format("query {}: {} neighbours were expected, {} found", query, wanted.distances.size(),
                         got.distances.size());
    if (std::string text = missing(wanted, got, bound, "in the answer"); !text.empty())
      return fmt::format("query {}: {}", query, text);
    if (std::string text = missing(got, wanted, bound, "in what was expected"); !text.empty())
      return fmt::format("query {}: {}", query, text);
  }
  return {};
}

}  // namespace proxel::conformance
