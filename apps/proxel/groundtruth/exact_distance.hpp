#pragma once

#include <cstdint>

#include "proxel/metric.hpp"

namespace proxel::tool {

/// The value by which a metric orders rows: l2sq of l2, otherwise the distance itself. Of the exact metrics it is the
/// canonical one, binary32 with one rounding per operation, written from the definition alone; of cosine and pearson
/// that of double precision.
double ordered_distance(Metric metric, const float* query, const float* row, std::uint64_t dimensions);

/// The distance that a search returns for it: of l2 the correctly rounded root.
float returned_distance(Metric metric, double ordered);

/// The same by double precision throughout, for any metric.
double double_distance(Metric metric, const float* query, const float* row, std::uint64_t dimensions);

/// Whether one is farther than the other: larger, of ip smaller, and NaN farther than all numbers. By more than `slack`.
bool is_farther(Metric metric, double one, double other, double slack = 0);

}  // namespace proxel::tool
