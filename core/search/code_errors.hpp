#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "proxel/metric.hpp"

namespace proxel::search {

/// Rows that are as near as a neighbour within some error, for each neighbour, of normal rows; no more than there are.
/// @param error  how it grows with the root of dimensions, beside what distances vary by
inline double near_within(double error, std::uint64_t rows, std::uint32_t dimensions, std::uint64_t k) {
  const double others = static_cast<double>(rows) / static_cast<double>(k);
  return std::min(others, std::exp(error * std::sqrt(dimensions) * std::sqrt(2 * std::log(std::max(others, 2.0)))));
}

/// Rows that are as near as a neighbour within the error of 8-bit codes by l1 and linf, for each neighbour, of normal rows: fitted to such
/// (docs/lab/differences.md). By l1 errors add up as dimensions do, and distances vary as their root; by linf both hardly change.
/// @param metric  l1 or linf
inline double near_by_codes(Metric metric, std::uint64_t rows, std::uint32_t dimensions, std::uint64_t k) {
  if (metric == Metric::linf) return 8;
  return near_within(0.05, rows, dimensions, k);
}

/// Room for each query's rows that codes leave, half as many again as are expected.
inline double room_for_near(double near, std::uint64_t k) { return 1.5 * near * static_cast<double>(k); }
/// How many times as many may be near. The largest value that is sampled makes the step of codes, which is wider than as a rule by a third once
/// in some 500 databases of normal values, and with it the logarithm of what is near, and more than that, as a tile has the error of its worst row.
/// By linf more is expected than there is as a rule.
inline double wide_step(Metric metric, double near) { return std::pow(near, metric == Metric::linf ? 0.2 : 0.5); }
/// Room where rows are listed, which costs memory alone.
inline double listed_room_for_near(Metric metric, double near, std::uint64_t k) {
  return std::max(1.5, 1.2 * wide_step(metric, near)) * near * static_cast<double>(k);
}
/// Queries that have a multiprocessor each list more rows than these, and share what looks at them.
inline constexpr std::uint32_t most_kept_of_few = 1024;

}  // namespace proxel::search
