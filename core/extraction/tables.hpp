#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace proxel::extraction {

/// IEC 61966-2-1: what light each value of a channel of sRGB stands for, 0…1. Made of additions, multiplications,
/// divisions and comparisons alone, so that it is the same to the bit on every machine, which libraries' powers
/// and roots are not.
std::array<float, 256> light_table();

/// The logarithm of a positive number to base 2, likewise, to about 1e-15.
double binary_logarithm(double value);

/// n log2 n of 0 … most, as image_features reads it.
std::vector<std::uint32_t> entropy_table(std::uint32_t most);

/// Random places, which are the same on every machine: x and y in parts of 2^32 of a side.
std::vector<std::uint32_t> random_places(std::uint32_t points, std::uint64_t seed);

}  // namespace proxel::extraction
