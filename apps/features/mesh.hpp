#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace proxel::features {

using Point = std::array<double, 3>;
using Triangle = std::array<Point, 3>;
/// A surface, in any unit; triangles may meet, overlap, or be without area.
using Triangles = std::vector<Triangle>;

/// Of one mesh. Files that hold more are refused: they would take hundreds of MB each.
inline constexpr std::uint64_t most_triangles = std::uint64_t{1} << 22;
/// Of a mesh's file, bytes.
inline constexpr std::uint64_t most_mesh_bytes = std::uint64_t{1} << 30;
/// No coordinate is larger, so that its third power and an area are numbers.
inline constexpr double largest_coordinate = 1e30;

}  // namespace proxel::features
