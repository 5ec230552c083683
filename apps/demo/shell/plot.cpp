#include "shell/plot.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "shell/targets.hpp"

namespace demo {
namespace {

constexpr std::size_t longest = 240;

double median(std::deque<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// 1, 2 or 5 times a power of ten, so that lines of the grid have round values.
double round_up(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0})
    if (value <= step * power) return step * power;
  return 10 * power;
}

}  // namespace

void Plot::add(const std::string& name, double milliseconds) {
  auto found = std::find_if(series_.begin(), series_.end(), [&](const Series& one) { return one.name == name; });
  if (found == series_.end()) found = series_.insert(series_.end(), Series{name, {}, 0});
  found->times.push_back(milliseconds);
  ++found->count;
  if (found->times.size() > longest) found->times.pop_front();
}

void Plot::draw(const char* title, const Theme& theme, ImVec2 size) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  mark("plot");
  list.AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y), theme.colour(theme.panel), theme.gap / 2);
  ImGui::PushFont(theme.small);
  const float line = ImGui::GetTextLineHeight(), inset = theme.gap;
  list.AddText(ImVec2(corner.x + inset, corner.y + inset / 2), theme.colour(theme.muted), title);

  double most = 0;
  for (const Series& one : series_) most = std::max(most, *std::max_element(one.times.begin(), one.times.end()));
  const double top = most > 0 ? round_up(most) : 1;
  const float left = corner.x + inset + 5 * line, right = corner.x + size.x - inset;
  const float upper = corner.y + line * 2, lower = corner.y + size.y - inset - line * 1.4f;
  for (const double part : {0.0, 0.5, 1.0}) {
    const float y = lower + (upper - lower) * static_cast<float>(part);
    list.AddLine(ImVec2(left, y), ImVec2(right, y), theme.colour(theme.muted, 0.3f), theme.scale);
    const std::string label = fmt::format("{:.4g}", top * part);
    list.AddText(ImVec2(left - ImGui::CalcTextSize(label.c_str()).x - inset / 2, y - line / 2),
                 theme.colour(theme.muted), label.c_str());
  }
  float legend = left;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const Series& one = series_[i];
    const ImU32 colour = theme.colour(theme.series[i % std::size(theme.series)]);
    std::vector<ImVec2> points;
    for (std::size_t at = 0; at < one.times.size(); ++at)
      points.emplace_back(right - (right - left) * static_cast<float>(one.times.size() - 1 - at) / (longest - 1),
                          lower + (upper - lower) * static_cast<float>(one.times[at] / top));
    list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0, 1.5f * theme.scale);
    list.AddCircleFilled(points.back(), 3 * theme.scale, colour);
    const std::string label =
        fmt::format("{}  {:.3g} ms, median {:.3g}", one.name, one.times.back(), median(one.times));
    list.AddText(ImVec2(legend, lower + inset / 2), colour, label.c_str());
    legend += ImGui::CalcTextSize(label.c_str()).x + 2 * inset;
  }
  ImGui::PopFont();
}

nlohmann::json Plot::report() const {
  nlohmann::json all = nlohmann::json::object();
  for (const Series& one : series_)
    all[one.name] = {{"count", one.count}, {"latest", one.times.back()}, {"median", median(one.times)}};
  return all;
}

}  // namespace demo
