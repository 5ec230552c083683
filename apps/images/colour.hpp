#pragma once

#include <array>
#include <cstdint>

namespace proxel::images {

/// CIELAB (CIE 1976 L*a*b*) under D65 of an 8-bit sRGB colour: L 0…100, a and b about -108…98.
/// Made of additions, multiplications, divisions and comparisons alone, so that the
/// result is the same to the bit on every machine, which libraries' powers and roots are not.
std::array<double, 3> lab_of(std::uint8_t red, std::uint8_t green, std::uint8_t blue);

/// The logarithm of a positive number to base 2, likewise, to about 1e-15.
double binary_logarithm(double value);

}  // namespace proxel::images
