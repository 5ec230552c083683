#pragma once

// Where a surface lies in its own axes, however it lies in its file (Vranić, Saupe, Richter: Tools for 3D-object
// retrieval: Karhunen-Loeve transform and spherical harmonics, 2001: principal axes of the whole surface, not of its
// vertices, so that they do not depend on how it is cut into triangles).

#include <array>
#include <string>

#include "features/mesh.hpp"

namespace proxel::features {

struct Posed {
  Triangles triangles;           ///< centre at 0; x the longest principal axis; root of the mean squared distance 1
  std::array<double, 3> spread;  ///< standard deviations of the surface along the axes, the largest first
};

/// Moves, turns and scales a surface. Each triangle counts once, and neither its first vertex nor the order of the
/// triangles changes a bit of the result.
///   - The centre is that of the surface's area.
///   - The axes are eigenvectors of its covariance; where two eigenvalues are equal, the file's axes decide.
///   - An axis points to where the third moment is positive; where it is 0, the axis' largest component is.
/// A surface and its mirror image become the same.
/// Throws Error(unsupported) that names the file where there is no area or a coordinate is too large.
Posed posed(Triangles triangles, const std::string& name);

}  // namespace proxel::features
