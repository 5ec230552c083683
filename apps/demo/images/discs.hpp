#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "proxel/signatures.hpp"

namespace demo {

/// A centroid of a signature as it is drawn over the picture.
struct Disc {
  float x, y;    ///< 0…1 over the picture
  float radius;  ///< in parts of the picture's shorter side; the area is the weight's share of the picture
  std::array<std::uint8_t, 3> colour;  ///< sRGB
};

/// The heaviest first, so that light ones lie above them.
std::vector<Disc> discs_of(const proxel::Signatures& signatures, std::uint64_t number);

/// The sRGB colour nearest to a CIELAB one (L 0…100) under D65.
std::array<std::uint8_t, 3> colour_of_lab(double lightness, double a, double b);

}  // namespace demo
