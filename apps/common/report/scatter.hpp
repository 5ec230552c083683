#pragma once

// A map of points as an SVG file of its own, readable in light and dark.

#include <cstdint>
#include <string>
#include <vector>

#include "proxel/matrix.hpp"

namespace proxel::tool {

struct ScatterPlot {
  std::string title;
  MatrixView<float> points;          ///< [n x 2] or more, of which the first two count
  std::vector<std::uint32_t> kinds;  ///< [n]: of names; empty: all are alike
  std::vector<std::string> names;    ///< of kinds, the first eight of which have a colour of their own
};

/// The first bytes of such a file, by which it is known.
inline constexpr const char* scatter_heading = "<!-- a map by proxel -->";
std::string to_svg(const ScatterPlot& plot);

}  // namespace proxel::tool
