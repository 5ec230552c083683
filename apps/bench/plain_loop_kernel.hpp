#pragma once

#include <cstdint>

namespace proxel::tool {

/// The nearest of rows first … last-1 by l1, with the widest vectors this processor has.
void plain_nearest(const float* rows, std::uint64_t first, std::uint64_t last, std::uint64_t dimensions,
                   const float* query, std::uint64_t* index, float* distance);

}  // namespace proxel::tool
