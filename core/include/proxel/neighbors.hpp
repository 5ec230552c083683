#pragma once

#include <cstdint>
#include <vector>

#include "proxel/export.h"
#include "proxel/matrix.hpp"
#include "proxel/report.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// The index in a result slot for which no row was available.
inline constexpr std::uint32_t no_neighbor = 0xFFFFFFFFu;

/// The k nearest rows of each query.
/// Both matrices are [queries x k]. Each row is ordered by (distance, index):
/// smallest distance first (largest for ip), NaN last, equal distances by
/// lower index; for l2 the order is that of l2sq, taken before the root, for
/// cosine and pearson that of s before it is taken from 1 (see Metric). Slots
/// for which no row is available hold no_neighbor and +infinity (-infinity for ip).
struct Neighbors {
  Matrix<std::uint32_t> indices;
  Matrix<float> distances;
  SearchReport report = {};
};

/// Every row within a radius of each query. Query i's are those at offsets[i] …
/// offsets[i + 1] - 1, ordered as in Neighbors.
struct RangeNeighbors {
  std::vector<std::uint64_t> offsets;  ///< [queries + 1]
  std::vector<std::uint32_t> indices;
  std::vector<float> distances;
  SearchReport report = {};

  std::uint64_t count(std::uint64_t query) const { return offsets[query + 1] - offsets[query]; }
};

/// The distance of each query to each object: [queries x objects].
struct Distances {
  Matrix<float> values;
  SearchReport report = {};
};

}  // namespace proxel
PROXEL_PUBLIC_END
