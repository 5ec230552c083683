#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "proxel/metric.hpp"

namespace proxel::search {

/// Rows that are as near as a neighbour within the error of 8-bit codes by l1 and linf, for each neighbour, of normal rows: fitted to such
/// (docs/lab/differences.md), and no more than there are. By l1 errors add up as dimensions do, and distances vary as their root; by linf both hardly change.
/// @param metric  l1 or linf
inline double near_by_codes(Metric metric, std::uint64_t rows, std::uint32_t dimensions, std::uint64_t k) {
  if (metric == Metric::linf) return 8;
  const double others = static_cast<double>(rows) / static_cast<double>(k);
  return std::min(others, std::exp(0.05 * std::sqrt(dimensions) * std::sqrt(2 * std::log(std::max(others, 2.0)))));
}

}  // namespace proxel::search
