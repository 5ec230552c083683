#include "groundtruth/exact_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace proxel::tool {
namespace {

// Of binary32 the canonical accumulation; of double that of the definition.
template <typename Number>
Number accumulate(Metric metric, const float* query, const float* row, std::uint64_t dimensions) {
  Number sum = 0;
  for (std::uint64_t i = 0; i < dimensions; ++i) {
    const Number q = query[i], r = row[i];
    if (metric == Metric::ip) {
      const Number product = q * r;
      sum = sum + product;
      continue;
    }
    const Number difference = q - r;
    if (metric == Metric::l1) {
      sum = sum + std::fabs(difference);
    } else if (metric == Metric::linf) {
      const Number size = std::fabs(difference);
      sum = std::isnan(sum) || std::isnan(size) ? std::numeric_limits<Number>::quiet_NaN() : std::max(sum, size);
    } else {
      const Number square = difference * difference;
      sum = sum + square;
    }
  }
  return sum;
}

// Whether all coordinates are numbers; those that are not make every angle NaN.
bool all_finite(const float* values, std::uint64_t dimensions) {
  return std::all_of(values, values + dimensions, [](float value) { return std::isfinite(value); });
}

double from_one(const float* query, const float* row, std::uint64_t dimensions, bool centre) {
  if (!all_finite(query, dimensions) || !all_finite(row, dimensions)) return std::numeric_limits<double>::quiet_NaN();
  double query_mean = 0, row_mean = 0;
  for (std::uint64_t i = 0; centre && i < dimensions; ++i) {
    query_mean += query[i];
    row_mean += row[i];
  }
  query_mean /= static_cast<double>(dimensions);
  row_mean /= static_cast<double>(dimensions);
  double product = 0, query_square = 0, row_square = 0;
  for (std::uint64_t i = 0; i < dimensions; ++i) {
    const double q = query[i] - query_mean, r = row[i] - row_mean;
    product += q * r;
    query_square += q * q;
    row_square += r * r;
  }
  if (query_square == 0 || row_square == 0) return 1;
  return 1 - product / (std::sqrt(query_square) * std::sqrt(row_square));
}

}  // namespace

double ordered_distance(Metric metric, const float* query, const float* row, std::uint64_t dimensions) {
  if (normalizes(metric)) return from_one(query, row, dimensions, metric == Metric::pearson);
  return accumulate<float>(metric, query, row, dimensions);
}

float returned_distance(Metric metric, double ordered) {
  const auto value = static_cast<float>(ordered);
  return metric == Metric::l2 ? std::sqrt(value) : value;
}

double double_distance(Metric metric, const float* query, const float* row, std::uint64_t dimensions) {
  if (normalizes(metric)) return from_one(query, row, dimensions, metric == Metric::pearson);
  const double value = accumulate<double>(metric, query, row, dimensions);
  return metric == Metric::l2 ? std::sqrt(value) : value;
}

bool is_farther(Metric metric, double one, double other, double slack) {
  if (std::isnan(one) || std::isnan(other)) return std::isnan(one) && !std::isnan(other);
  return largest_first(metric) ? one < other - slack : one > other + slack;
}

}  // namespace proxel::tool
