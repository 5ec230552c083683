#pragma once

#include <cstdint>
#include <span>

#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// What was found without each query itself where it is one of the index, and then at most so many.
/// @param selves  which of the index each query is; no_neighbor: none
inline RangeNeighbors without_selves(const RangeNeighbors& found, std::span<const std::uint32_t> selves,
                                     std::uint64_t most) {
  RangeNeighbors kept;
  kept.report = found.report;
  kept.offsets.push_back(0);
  for (std::uint64_t query = 0; query < selves.size(); ++query) {
    for (std::uint64_t slot = found.offsets[query]; slot < found.offsets[query + 1]; ++slot) {
      if (found.indices[slot] == selves[query] || kept.indices.size() - kept.offsets[query] == most) continue;
      kept.indices.push_back(found.indices[slot]);
      kept.distances.push_back(found.distances[slot]);
    }
    kept.offsets.push_back(kept.indices.size());
  }
  return kept;
}

}  // namespace proxel::tool
