#include "report/scatter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "console.hpp"
#include "report/plot.hpp"

namespace proxel::tool {
namespace {

constexpr double side = 900, margin = 20, legend_row = 24;
constexpr std::size_t most_kinds = 8;

struct Window {
  double left = 0, top = 0, scale = 1;
};

Window window_of(const MatrixView<float>& points) {
  double least[2], most[2];
  for (int d = 0; d < 2; ++d) {
    least[d] = std::numeric_limits<double>::infinity();
    most[d] = -least[d];
    for (std::uint64_t i = 0; i < points.rows; ++i) {
      const double value = points(i, static_cast<std::uint64_t>(d));
      least[d] = std::min(least[d], value);
      most[d] = std::max(most[d], value);
    }
  }
  const double extent = std::max({most[0] - least[0], most[1] - least[1], 1e-3});
  return {least[0] - (extent - (most[0] - least[0])) / 2, least[1] - (extent - (most[1] - least[1])) / 2,
          (side - 2 * margin) / extent};
}

}  // namespace

std::string to_svg(const ScatterPlot& plot) {
  const std::size_t kinds = std::min(plot.names.size(), most_kinds);
  const bool others = plot.names.size() > most_kinds;
  const std::size_t rows = plot.names.size() < 2 ? 0 : (kinds + others + 3) / 4;
  const double height = side + legend_row * static_cast<double>(rows);
  std::string svg = fmt::format(
      "{}\n<svg viewBox=\"0 0 {} {}\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" aria-label=\"{}\">"
      "<title>{}</title><style>:root{{--ink:#1a1a1a;--rule:#ddd}}@media(prefers-color-scheme:dark){{:root{{"
      "--ink:#eee;--rule:#444}}}}{}svg .other{{fill:#777;stroke:#777;opacity:.6}}"
      "svg .points{{stroke-linecap:round}}</style>\n",
      scatter_heading, side, height, escape(plot.title), escape(plot.title), plot_style());
  const Window window = window_of(plot.points);
  // So large that few can be seen, and so small that many can be told apart.
  const double size = std::clamp(260 / std::sqrt(static_cast<double>(plot.points.rows)), 1.2, 9.0);
  for (std::size_t kind = 0; kind <= kinds; ++kind) {
    std::string path;
    for (std::uint64_t i = 0; i < plot.points.rows; ++i) {
      const std::size_t of = plot.kinds.empty() ? 0 : std::min<std::size_t>(plot.kinds[i], most_kinds);
      if (of == kind)
        path += fmt::format("M{:.1f} {:.1f}h0", margin + (plot.points(i, 0) - window.left) * window.scale,
                            margin + (plot.points(i, 1) - window.top) * window.scale);
    }
    const std::string look = kind == most_kinds ? "other" : fmt::format("line{}", kind);
    if (!path.empty())
      svg += fmt::format("<path class=\"points {}\" style=\"stroke-width:{:.1f};stroke-dasharray:none\" d=\"{}\"/>\n",
                         look, size, path);
  }
  for (std::size_t i = 0; rows != 0 && i < kinds + others; ++i) {
    const double x = margin + (side - 2 * margin) / 4 * static_cast<double>(i % 4);
    const double y = side + legend_row * (static_cast<double>(i / 4) + 0.5);
    const std::string name = i < kinds ? plot.names[i] : fmt::format("{} others", plot.names.size() - kinds);
    svg += fmt::format(
        "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        i < kinds ? fmt::format("fill{}", i) : "other", x + 6, y, x + 18, y + 4, escape(one_line(name)));
  }
  return svg + "</svg>\n";
}

}  // namespace proxel::tool
