// Compiled with -ffp-contract=off: one rounding per operation.
#include "oracle.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace proxel::conformance {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::uint32_t canonical_nan_bits = 0x7FC00000u;

float canonical_value(const Question& question, std::uint64_t query, std::uint64_t row) {
  float sum = 0.0f;
  for (std::uint64_t i = 0; i < question.database.columns; ++i) {
    const float q = question.queries(query, i);
    const float r = question.database(row, i);
    switch (question.metric) {
      case Metric::l1:
        sum = sum + std::fabs(q - r);
        break;
      case Metric::l2sq:
      case Metric::l2: {
        const float t = q - r;
        const float square = t * t;
        sum = sum + square;
        break;
      }
      case Metric::linf: {
        const float t = std::fabs(q - r);
        if (std::isnan(sum) || std::isnan(t))
          sum = std::numeric_limits<float>::quiet_NaN();
        else if (t > sum)
          sum = t;
        break;
      }
      case Metric::ip: {
        const float product = q * r;
        sum = sum + product;
        break;
      }
      case Metric::cosine:
      case Metric::pearson:
        break;  // not evaluated canonically: see exact_angle()
    }
  }
  return sum;
}

bool is_bounded(Metric metric) { return metric == Metric::cosine || metric == Metric::pearson; }

// 1 - cos or 1 - correlation, by their definitions in long double.
float exact_angle(const Question& question, std::uint64_t query, std::uint64_t row) {
  const std::uint64_t d = question.database.columns;
  const auto vector = [&](const MatrixView<float>& view, std::uint64_t at) {
    std::vector<long double> values(d);
    long double sum = 0;
    bool equal = true;
    for (std::uint64_t i = 0; i < d; ++i) {
      values[i] = view(at, i);
      sum += values[i];
      equal = equal && values[i] == values[0];
    }
    if (question.metric == Metric::pearson)
      for (long double& value : values)
        if (std::isfinite(value)) value = equal ? 0 : value - sum / static_cast<long double>(d);
    return values;
  };
  const std::vector<long double> q = vector(question.queries, query);
  const std::vector<long double> r = vector(question.database, row);
  long double product = 0, q_square = 0, r_square = 0;
  for (std::uint64_t i = 0; i < d; ++i) {
    if (!std::isfinite(question.queries(query, i)) || !std::isfinite(question.database(row, i)))
      return std::numeric_limits<float>::quiet_NaN();
    product += q[i] * r[i];
    q_square += q[i] * q[i];
    r_square += r[i] * r[i];
  }
  if (q_square == 0 || r_square == 0) return 1;
  return static_cast<float>(1 - product / (std::sqrt(q_square) * std::sqrt(r_square)));
}

struct Candidate {
  float value;
  std::uint32_t index;
};

bool allowed(const Question& question, std::uint64_t query, std::uint64_t row) {
  if (!question.allowed.data) return true;
  return question.allowed(question.allowed.rows == 1 ? 0 : query, row) != 0;
}

// The contract's total order. The comparison operators take -0 and +0 as equal.
bool precedes(const Candidate& a, const Candidate& b, bool largest) {
  const bool a_is_nan = std::isnan(a.value);
  const bool b_is_nan = std::isnan(b.value);
  if (a_is_nan != b_is_nan) return b_is_nan;
  if (!a_is_nan && a.value != b.value) return largest ? a.value > b.value : a.value < b.value;
  return a.index < b.index;
}

float returned(float value, Metric metric) {
  if (std::isnan(value)) return std::bit_cast<float>(canonical_nan_bits);
  if (value == 0.0f) return 0.0f;
  return metric == Metric::l2 ? std::sqrt(value) : value;
}

struct Exact {
  double value;      // as returned: for l2 the root
  double magnitude;  // sum of the terms' magnitudes; for l2 its root
};

Exact exact_value(const Question& question, std::uint64_t query, std::uint64_t row) {
  double sum = 0.0;
  double magnitude = 0.0;
  for (std::uint64_t i = 0; i < question.database.columns; ++i) {
    const double q = question.queries(query, i);
    const double r = question.database(row, i);
    const double t = q - r;
    switch (question.metric) {
      case Metric::l1:
        sum += std::fabs(t);
        break;
      case Metric::l2sq:
      case Metric::l2:
        sum += t * t;
        break;
      case Metric::linf:
        sum = std::max(sum, std::fabs(t));
        break;
      case Metric::ip:
        sum += q * r;
        magnitude += std::fabs(q * r);
        break;
      case Metric::cosine:
      case Metric::pearson:
        break;  // judged by bounded_difference() instead
    }
  }
  if (question.metric != Metric::ip) magnitude = sum;
  if (question.metric == Metric::l2) return {std::sqrt(sum), std::sqrt(sum)};
  return {sum, magnitude};
}

std::string describe(std::uint32_t index, float distance) {
  const auto bits = std::bit_cast<std::uint32_t>(distance);
  const std::string row = index == no_neighbor ? "no row" : fmt::format("row {}", index);
  return fmt::format("{} at {} (0x{:08X})", row, distance, bits);
}

std::string shape(const Neighbors& neighbors) {
  return fmt::format("indices {} x {}, distances {} x {}", neighbors.indices.rows(), neighbors.indices.columns(),
                     neighbors.distances.rows(), neighbors.distances.columns());
}

bool has_shape(const Neighbors& neighbors, std::uint64_t rows, std::uint64_t columns) {
  return neighbors.indices.rows() == rows && neighbors.distances.rows() == rows &&
         neighbors.indices.columns() == columns && neighbors.distances.columns() == columns;
}

}  // namespace

Neighbors oracle_answer(const Question& question) {
  const std::uint64_t n = question.database.rows;
  const std::uint64_t q = question.queries.rows;
  const std::uint64_t k = question.k;
  const bool largest = question.metric == Metric::ip;
  Neighbors answer{Matrix<std::uint32_t>(q, k), Matrix<float>(q, k)};
  std::vector<Candidate> candidates;
  for (std::uint64_t query = 0; query < q; ++query) {
    candidates.clear();
    for (std::uint64_t row = 0; row < n; ++row)
      if (allowed(question, query, row))
        candidates.push_back(
            {is_bounded(question.metric) ? exact_angle(question, query, row) : canonical_value(question, query, row),
             static_cast<std::uint32_t>(row)});
    const auto before = [largest](const Candidate& a, const Candidate& b) { return precedes(a, b, largest); };
    const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(k, candidates.size()));
    std::nth_element(candidates.begin(), end, candidates.end(), before);
    std::sort(candidates.begin(), end, before);
    for (std::uint64_t rank = 0; rank < k; ++rank) {
      const bool found = rank < candidates.size();
      answer.indices(query, rank) = found ? candidates[rank].index : no_neighbor;
      answer.distances(query, rank) =
          found ? returned(candidates[rank].value, question.metric) : (largest ? -infinity : infinity);
    }
  }
  return answer;
}

RangeAnswer oracle_range(const Question& question, float radius) {
  Question everything = question;
  everything.k = question.database.rows;
  const Neighbors all = oracle_answer(everything);
  RangeAnswer answer;
  answer.offsets.push_back(0);
  for (std::uint64_t query = 0; query < question.queries.rows; ++query) {
    for (std::uint64_t rank = 0; rank < everything.k; ++rank) {
      const float distance = all.distances(query, rank);
      // A comparison with NaN is false.
      const bool within = question.metric == Metric::ip ? distance >= radius : distance <= radius;
      if (all.indices(query, rank) == no_neighbor || !within) continue;
      answer.indices.push_back(all.indices(query, rank));
      answer.distances.push_back(distance);
    }
    answer.offsets.push_back(answer.indices.size());
  }
  return answer;
}

std::string difference(const Neighbors& expected, const Neighbors& actual) {
  const std::uint64_t rows = expected.indices.rows();
  const std::uint64_t columns = expected.indices.columns();
  if (!has_shape(actual, rows, columns)) return fmt::format("expected {}, got {}", shape(expected), shape(actual));
  std::string first;
  std::uint64_t differing = 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t rank = 0; rank < columns; ++rank) {
      const float wanted = expected.distances(row, rank);
      const float got = actual.distances(row, rank);
      if (expected.indices(row, rank) == actual.indices(row, rank) &&
          std::bit_cast<std::uint32_t>(wanted) == std::bit_cast<std::uint32_t>(got))
        continue;
      if (differing++ == 0)
        first = fmt::format("query {}, rank {}: expected {}, got {}", row, rank,
                            describe(expected.indices(row, rank), wanted), describe(actual.indices(row, rank), got));
    }
  }
  if (differing == 0) return {};
  return fmt::format("{}; {} of {} slots differ", first, differing, rows * columns);
}

std::string incompatibility(const Question& question, const Neighbors& actual) {
  double largest_coordinate = 0.0;
  const auto measure = [&](const MatrixView<float>& view) {
    for (std::uint64_t row = 0; row < view.rows; ++row)
      for (std::uint64_t column = 0; column < view.columns; ++column)
        largest_coordinate = std::max(largest_coordinate, std::fabs(double{view(row, column)}));
  };
  measure(question.database);
  measure(question.queries);
  // Each dimension can lose the smallest normal number in its two inputs, its
  // difference, its product and the sum; the first three are then multiplied.
  constexpr double smallest_normal = std::numeric_limits<float>::min();
  const double flushed =
      4.0 * smallest_normal * static_cast<double>(question.database.columns) * (1.0 + 4.0 * largest_coordinate);
  const double rounded = rounding_bound(question.database.columns);
  const double additive = question.metric == Metric::l2 ? std::sqrt(flushed) : flushed;
  // The root maps different squares to one value, so l2's ties may be in either order.
  return disagreement(question, actual, {[=](std::uint64_t, std::uint64_t, double magnitude) {
    return additive + rounded * magnitude;
  }, question.metric != Metric::l2});
}

std::string disagreement(const Question& question, const Neighbors& actual, const Tolerance& tolerance) {
  const std::uint64_t n = question.database.rows;
  const std::uint64_t k = question.k;
  const bool largest = question.metric == Metric::ip;
  if (!has_shape(actual, question.queries.rows, k))
    return fmt::format("expected {} x {}, got {}", question.queries.rows, k, shape(actual));

  for (std::uint64_t query = 0; query < question.queries.rows; ++query) {
    std::vector<Exact> exact(n);
    for (std::uint64_t row = 0; row < n; ++row) exact[row] = exact_value(question, query, row);
    const auto bound = [&](std::uint64_t row) { return tolerance.of_distance(query, row, exact[row].magnitude); };
    std::vector<bool> present(n, false);
    const std::uint64_t found = std::min(k, n);
    for (std::uint64_t rank = 0; rank < k; ++rank) {
      const std::uint32_t index = actual.indices(query, rank);
      const float distance = actual.distances(query, rank);
      const std::string where = fmt::format("query {}, rank {}: ", query, rank);
      if (rank >= found) {
        if (index != no_neighbor || distance != (largest ? -infinity : infinity))
          return where + "expected padding, got " + describe(index, distance);
        continue;
      }
      if (index >= n) return where + fmt::format("row {} does not exist", index);
      if (present[index]) return where + fmt::format("row {} appears twice", index);
      present[index] = true;
      if (!(std::fabs(double{distance} - exact[index].value) <= bound(index)))
        return where + fmt::format("{} is not within {:g} of {:g}", describe(index, distance), bound(index),
                                   exact[index].value);
      if (rank == 0) continue;
      const float before = actual.distances(query, rank - 1);
      if (largest ? before < distance : before > distance)
        return where + fmt::format("{} comes after {}", distance, before);
      if (before == distance && tolerance.ties_by_index && actual.indices(query, rank - 1) > index)
        return where + fmt::format("tie of rows {} and {} in the wrong order", actual.indices(query, rank - 1), index);
    }
    if (found == 0) continue;
    const std::uint32_t last = actual.indices(query, found - 1);
    for (std::uint64_t row = 0; row < n; ++row) {
      const double lead = largest ? exact[row].value - exact[last].value : exact[last].value - exact[row].value;
      if (!present[row] && lead > bound(row) + bound(last))
        return fmt::format(
            "query {}: row {} at {:g} is missing, the last that was found is row {} "
            "at {:g}",
            query, row, exact[row].value, last, exact[last].value);
    }
  }
  return {};
}

double largest_relative_error(const Question& question, const Neighbors& actual) {
  double largest = 0.0;
  for (std::uint64_t query = 0; query < actual.indices.rows(); ++query) {
    for (std::uint64_t rank = 0; rank < actual.indices.columns(); ++rank) {
      const std::uint32_t index = actual.indices(query, rank);
      const float distance = actual.distances(query, rank);
      if (index >= question.database.rows || !std::isfinite(distance)) continue;
      const Exact exact = exact_value(question, query, index);
      const double error = std::fabs(double{distance} - exact.value);
      if (error == 0.0) continue;
      largest = std::max(largest, error / exact.magnitude);
    }
  }
  return largest;
}

double rounding_bound(std::uint64_t dimensions) {
  // A difference rounded once and squared, its product, d sums, and the root.
  const double roundings = static_cast<double>(dimensions) + 4.0;
  const double unit = 0x1p-24;
  return roundings * unit / (1.0 - roundings * unit);
}

}  // namespace proxel::conformance
