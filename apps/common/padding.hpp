#pragma once

#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// The k nearest without the slots for which there is none.
inline RangeNeighbors without_padding(const Neighbors& nearest) {
  RangeNeighbors found;
  found.report = nearest.report;
  found.offsets.push_back(0);
  for (std::uint64_t query = 0; query < nearest.indices.rows(); ++query) {
    for (std::uint64_t rank = 0; rank < nearest.indices.columns(); ++rank)
      if (nearest.indices(query, rank) != no_neighbor) {
        found.indices.push_back(nearest.indices(query, rank));
        found.distances.push_back(nearest.distances(query, rank));
      }
    found.offsets.push_back(found.indices.size());
  }
  return found;
}

}  // namespace proxel::tool
