#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "features/mesh.hpp"

namespace proxel::features {

/// docs/features.md: six depth images of the posed surface, of each the magnitudes of 85 low frequencies, and two
/// ratios of its spreads. After the depth buffer descriptor (Heczko, Keim, Saupe, Vranić: Verfahren zur
/// Ähnlichkeitssuche auf 3D-Objekten, 2002; Vranić: 3D Model Retrieval, 2004).
inline constexpr std::size_t shape_dimensions = 512;

/// Frequencies (u, v) with u² + v² <= 52 of which neither is another's opposite, the lowest first.
inline constexpr std::size_t shape_frequencies = 85;
std::array<std::array<int, 2>, shape_frequencies> lowest_frequencies();

/// The descriptor of a surface. Throws Error(unsupported) as posed().
std::vector<float> shape_descriptor(Triangles triangles, const std::string& name);

}  // namespace proxel::features
