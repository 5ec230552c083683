#include "report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace engine {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

void Report::add(const std::vector<std::uint64_t>& ticks, double nanoseconds_per_tick) {
  for (std::size_t i = 0; i < passes_.size(); ++i)
    samples_[i].push_back(static_cast<double>(ticks[i + 1] - ticks[i]) * nanoseconds_per_tick * 1e-6);
}

std::string Report::text(const Neighbors::Shape& shape) const {
  std::string text = fmt::format("{} points in {} dimensions, {} neighbours of {}\n", shape.points,
                                 shape.dimensions, shape.found - 1, shape.queries);
  for (std::size_t i = 0; i < passes_.size(); ++i)
    if (!samples_[i].empty()) text += fmt::format("{:8} {:8.3f} ms\n", passes_[i], samples_[i].back());
  return text;
}

std::string Report::json(const Summary& summary) const {
  nlohmann::ordered_json json;
  json["device"] = summary.device;
  json["points"] = summary.shape.points;
  json["dimensions"] = summary.shape.dimensions;
  json["neighbours"] = summary.shape.found - 1;
  json["queries"] = summary.shape.queries;
  json["shown"] = summary.shown;
  json["frames"] = frames_.size();
  json["first_search_milliseconds"] = summary.first_search_milliseconds;
  json["frame_milliseconds"] = median(frames_);
  for (std::size_t i = 0; i < passes_.size(); ++i)
    json["pass_milliseconds"][passes_[i]] = {{"median", median(samples_[i])},
                                             {"least", samples_[i].empty() ? 0 : *std::min_element(samples_[i].begin(), samples_[i].end())}};
  json["checked_queries"] = summary.checked_queries;
  json["different_queries"] = summary.different_queries;
  return json.dump(2);
}

}  // namespace engine
