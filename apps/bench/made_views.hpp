#pragma once

#include <cstdint>

#include "proxel/signatures.hpp"

namespace proxel::tool {

/// Signatures in the manner of a collection like ALOI, a thousand things photographed 72 times
/// each: those of a thing have its 8 to 64 clusters, about 30 on the average, moved a little from
/// one view to the next, and some left out. Seven dimensions: position, colour, contrast and
/// entropy; weights add up to 1. Views of things come in turn, so that those behind the first
/// so many are of the same things. The seed decides them.
Signatures made_views(std::uint64_t count, std::uint64_t seed);
inline constexpr std::uint32_t view_dimensions = 7;

/// Signatures first … first + count - 1.
Signatures signatures_part(const Signatures& all, std::uint64_t first, std::uint64_t count);

}  // namespace proxel::tool
