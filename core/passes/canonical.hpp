#pragma once

// The exact metrics, one dimension at a time: what every backend repeats to the bit.

#include <cfloat>
#include <cmath>

#include "passes/memory.hpp"
#include "proxel/metric.hpp"

namespace proxel::passes {

static_assert(FLT_EVAL_METHOD == 0, "each operation must round to binary32");

/// Adds one dimension to a distance that started at +0. Of metrics that passes
/// know as another (accumulated()), the step is that of the other. Compiled with contraction off.
inline float canonical_step(Metric metric, float sum, float query, float row) {
  switch (metric) {
    case Metric::l1:
      return sum + std::fabs(query - row);
    case Metric::l2:
    case Metric::l2sq: {
      const float difference = query - row;
      return sum + difference * difference;
    }
    case Metric::linf: {
      const float difference = std::fabs(query - row);
      if (std::isnan(sum)) return sum;
      if (std::isnan(difference)) return difference;
      return sum < difference ? difference : sum;
    }
    case Metric::ip:
    case Metric::cosine:
    case Metric::pearson:
      return sum + query * row;
  }
  return sum;
}

/// The distance between a query and row `row`, dimensions 0 to dimensions - 1.
inline float canonical_distance(Metric metric, const float* query, const Rows& rows, std::uint64_t row,
                                std::uint32_t dimensions) {
  float sum = 0;
  for (std::uint32_t i = 0; i < dimensions; ++i)
    sum = canonical_step(metric, sum, query[i], *value_address(rows, row, i));
  return sum;
}

}  // namespace proxel::passes
