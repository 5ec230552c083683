#pragma once

// Plots as inline SVG: readable in light and dark, told apart by more than
// colour, with a text alternative.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proxel::tool {

/// Text safe inside HTML and SVG, attributes included.
std::string escape(std::string_view text);

struct Bar {
  std::string label;
  std::vector<double> parts;  ///< one per name in BarChart::parts; negative or not finite: absent
};

/// Horizontal bars. With several parts each part gets its own panel and scale,
/// so that a short read-back beside a long search can still be compared.
struct BarChart {
  std::string title;
  std::string unit;
  std::vector<std::string> parts;
  std::vector<Bar> bars;
};
std::string to_svg(const BarChart& chart);

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< (x, y), ascending x
};

struct LineChart {
  std::string title;
  std::string x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<Series> series;
};
std::string to_svg(const LineChart& chart);

/// The style sheet that the plots need.
std::string plot_style();

}  // namespace proxel::tool
