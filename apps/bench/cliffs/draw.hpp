#pragma once

// Searches between those that walks come to: all sizes at random.

#include <cstdint>
#include <vector>

#include "bench/cliffs/walks.hpp"

namespace proxel::tool::cliffs {

/// Places drawn at random, whose sizes have logarithms that are evenly spread; some share their rows, and lie one after another. No search
/// multiplies more coordinates, or finds more neighbours, than a device does in some tens of milliseconds, and a processor in seconds.
/// @param count  at least 1
/// @param seed   the same draws the same
std::vector<Place> random_places(Extent extent, std::uint64_t count, std::uint64_t seed);

}  // namespace proxel::tool::cliffs
