#pragma once

#include <array>
#include <vector>

#include "features/mesh.hpp"

namespace proxel::features {

/// Pixels of a side.
inline constexpr std::size_t depth_side = 128;
/// Half the side of the cube that is looked at, whose middle is 0. A thin rod of a root mean squared distance of 1
/// from its middle is 1.73 to each side; what is outside is cut off.
inline constexpr double cube_half = 2;

/// How near the surface is to one side of the cube: 0 where there is none, 1 at that side.
using DepthImage = std::vector<double>;  // [depth_side x depth_side]

/// The surface as it is seen from +x, -x, +y, -y, +z and -z, by parallel rays through the middles of pixels.
std::array<DepthImage, 6> depth_images(const Triangles& triangles);

}  // namespace proxel::features
