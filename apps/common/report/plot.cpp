#include "report/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {
namespace {

// The palette of Okabe and Ito, told apart with every common kind of colour
// vision; the dark variants are lightened to keep their contrast.
constexpr std::array light = {"#0072b2", "#b34700", "#007a5a", "#a0437f", "#5b5b5b", "#8a6d00", "#3a6ea5", "#7a3300"};
constexpr std::array dark = {"#56b4e9", "#ff9e57", "#3ccfa0", "#e59bc9", "#b8b8b8", "#e6c84a", "#9cc4f0", "#d99a6c"};
constexpr std::array dashes = {"none", "7 3", "2 3", "9 3 2 3", "5 2", "1 2", "12 4", "4 4 1 4"};

double usable(double value) { return std::isfinite(value) && value > 0 ? value : 0; }

std::string open_svg(double width, double height, const std::string& title, const std::string& description) {
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" "
      "aria-label=\"{}\"><title>{}</title><desc>{}</desc>\n",
      width, height, escape(title), escape(title), escape(description));
}

std::string text(double x, double y, const char* anchor, std::string_view what, std::string_view style = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, style,
                     escape(what));
}

std::string marker(std::size_t kind, double x, double y) {
  switch (kind % 4) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", x, y);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\"/>", x - 3.5, y - 3.5);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l4.5 8h-9z\"/>", x, y - 5);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l5 5-5 5-5-5z\"/>", x, y - 5);
  }
}

// One axis: where a value lies between two pixels, and which values get a tick.
struct Axis {
  bool logarithmic = false;
  double low = 0, high = 1, from = 0, to = 1;

  void cover(double smallest, double largest) {
    if (logarithmic) {
      low = std::pow(10, std::floor(std::log10(smallest) * 2) / 2);
      high = std::pow(10, std::ceil(std::log10(largest) * 2) / 2);
      if (high <= low) high = low * 10;
    } else {
      low = std::min(smallest * 1.05, 0.0);
      high = largest > 0 ? largest * 1.05 : 1;
    }
  }
  double place(double value) const {
    const double part = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return from + part * (to - from);
  }
  std::vector<double> ticks() const {
    std::vector<double> values;
    if (logarithmic) {
      const bool sparse = high / low > 1000;
      for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high * 1.001; decade *= 10)
        for (const double step : {1.0, 2.0, 5.0})
          if (const double value = decade * step;
              (step == 1 || !sparse) && value >= low * 0.999 && value <= high * 1.001)
            values.push_back(value);
      return values;
    }
    const double rough = (high - low) / 5;
    const double magnitude = std::pow(10, std::floor(std::log10(rough)));
    double step = magnitude;
    for (const double factor : {2.0, 5.0, 10.0})
      if (step < rough) step = magnitude * factor;
    for (double count = std::ceil(low / step); count * step <= high * 1.0001; ++count)
      values.push_back(count * step + 0.0);  // not -0
    return values;
  }
};

std::string tick_text(double value) {
  if (value >= 1e6) return fmt::format("{:g} M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:g} k", value / 1e3);
  return fmt::format("{:g}", value);
}

}  // namespace

std::string escape(std::string_view raw) {
  std::string safe;
  for (const char character : raw) {
    switch (character) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += character;
    }
  }
  return safe;
}

std::string to_svg(const BarChart& chart) {
  constexpr double width = 760, line = 26, panel_top = 34, letter = 7.2;
  double labels = 170;
  for (const Bar& bar : chart.bars)
    labels = std::max(labels, letter * static_cast<double>(display_width(bar.label)) + 8);
  const double panel_height = panel_top + line * static_cast<double>(chart.bars.size()) + 8;
  const double height = panel_height * static_cast<double>(chart.parts.size());
  std::string description = chart.title + ". ";
  for (const Bar& bar : chart.bars) {
    description += bar.label + ":";
    for (std::size_t part = 0; part < chart.parts.size(); ++part)
      description += fmt::format(" {} {} {};", chart.parts[part], significant(bar.parts[part]), chart.unit);
    description += ' ';
  }
  std::string svg = open_svg(width, height, chart.title, description);
  for (std::size_t part = 0; part < chart.parts.size(); ++part) {
    const double top = panel_height * static_cast<double>(part);
    svg += text(0, top + 20, "start", fmt::format("{} ({})", chart.parts[part], chart.unit), " class=\"strong\"");
    double largest = 0;
    for (const Bar& bar : chart.bars) largest = std::max(largest, usable(bar.parts[part]));
    for (std::size_t row = 0; row < chart.bars.size(); ++row) {
      const Bar& bar = chart.bars[row];
      const double y = top + panel_top + line * static_cast<double>(row);
      const double value = usable(bar.parts[part]);
      const double length = largest > 0 ? value / largest * (width - labels - 110) : 0;
      svg += text(labels - 8, y + 15, "end", bar.label);
      svg += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"18\" class=\"fill{}\"/>\n", labels,
                         y + 2, std::max(length, value > 0 ? 1.0 : 0.0), part % light.size());
      svg += text(labels + length + 6, y + 15, "start", bar.parts[part] >= 0 ? significant(bar.parts[part]) : "–");
    }
  }
  return svg + "</svg>\n";
}

std::string to_svg(const LineChart& chart) {
  constexpr double width = 760, left = 70, right = 20, top = 14, plot_height = 320;
  const double legend = 22.0 * static_cast<double>(chart.series.size());
  const double height = top + plot_height + 50 + legend;
  double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
  bool any = false;
  std::string description = fmt::format("{}. {} over {}. ", chart.title, chart.y_label, chart.x_label);
  for (const Series& series : chart.series) {
    description += series.name + ":";
    for (const auto& [x, y] : series.points) {
      description += fmt::format(" {:g} → {};", x, significant(y));
      x_low = any ? std::min(x_low, x) : x;
      x_high = any ? std::max(x_high, x) : x;
      y_low = any ? std::min(y_low, y) : y;
      y_high = any ? std::max(y_high, y) : y;
      any = true;
    }
    description += ' ';
  }
  if (!any) return "";
  Axis x_axis{chart.log_x, 0, 1, left, width - right};
  Axis y_axis{chart.log_y, 0, 1, top + plot_height, top};
  x_axis.cover(x_low, x_high);
  if (chart.log_x) {
    x_axis.low = x_low / 1.1;
    x_axis.high = x_high * 1.1;
  }
  y_axis.cover(y_low, y_high);

  std::string svg = open_svg(width, height, chart.title, description);
  for (const double value : y_axis.ticks()) {
    const double y = y_axis.place(value);
    svg += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>\n", left, y, width - right);
    svg += text(left - 8, y + 4, "end", tick_text(value));
  }
  // Powers of two are what dimensions are; on a logarithmic axis the measured
  // positions themselves make the clearest ticks.
  std::vector<double> x_ticks;
  if (chart.log_x)
    for (const Series& series : chart.series)
      for (const auto& [x, y] : series.points) x_ticks.push_back(x);
  else
    x_ticks = x_axis.ticks();
  std::sort(x_ticks.begin(), x_ticks.end());
  x_ticks.erase(std::unique(x_ticks.begin(), x_ticks.end()), x_ticks.end());
  for (const double value : x_ticks) {
    const double x = x_axis.place(value);
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {}V{}\"/>\n", x, top, top + plot_height);
    svg += text(x, top + plot_height + 18, "middle", tick_text(value));
  }
  svg += text((left + width - right) / 2, top + plot_height + 38, "middle",
              chart.x_label + (chart.log_x ? " (logarithmic)" : ""));
  svg += text(left, top - 2, "start", chart.y_label + (chart.log_y ? " (logarithmic)" : ""));
  for (std::size_t index = 0; index < chart.series.size(); ++index) {
    const Series& series = chart.series[index];
    const std::size_t look = index % light.size();
    std::string path, markers;
    for (const auto& [x, y] : series.points) {
      const double at_x = x_axis.place(x), at_y = y_axis.place(y);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", at_x, at_y);
      markers += marker(index, at_x, at_y);
    }
    svg += fmt::format("<path class=\"line{} line\" d=\"{}\"/><g class=\"fill{}\">{}</g>\n", look, path, look, markers);
    const double y = top + plot_height + 60 + 22.0 * static_cast<double>(index);
    svg += fmt::format("<path class=\"line{} line\" d=\"M{} {:.1f}h40\"/><g class=\"fill{}\">{}</g>\n", look, left,
                       y - 4, look, marker(index, left + 20, y - 4));
    svg += text(left + 52, y, "start", series.name);
  }
  return svg + "</svg>\n";
}

std::string plot_style() {
  std::string style =
      "svg{width:100%;max-width:760px;height:auto;font:13px system-ui,sans-serif}"
      "svg text{fill:var(--ink)}svg .strong{font-weight:600}"
      "svg .grid{stroke:var(--rule);fill:none}svg .line{fill:none;stroke-width:2}";
  const auto colours = [&](const auto& palette) {
    for (std::size_t index = 0; index < palette.size(); ++index)
      style += fmt::format("svg .fill{0}{{fill:{1}}}svg .line{0}{{stroke:{1};stroke-dasharray:{2}}}", index,
                           palette[index], dashes[index]);
  };
  colours(light);
  style += "@media (prefers-color-scheme:dark){";
  colours(dark);
  style += "}@media print{";
  colours(light);
  return style + "}";
}

}  // namespace proxel::tool
