#include "report.hpp"

#include <algorithm>

namespace engine {
namespace {

constexpr std::size_t most_kept = 1u << 16;
constexpr std::size_t recent_frames = 30;

// A window may be open for days.
void keep(std::vector<double>& times, double time) {
  if (times.size() == 2 * most_kept) times.erase(times.begin(), times.begin() + most_kept);
  times.push_back(time);
}

std::vector<Report::Part> by_name(const std::vector<PassTime::Part>& parts) {
  std::vector<Report::Part> named;
  for (const PassTime::Part& part : parts) {
    auto found =
        std::find_if(named.begin(), named.end(), [&](const Report::Part& one) { return one.name == part.name; });
    if (found == named.end()) found = named.insert(found, {part.name, 0, 0});
    ++found->count;
    found->milliseconds += part.milliseconds;
  }
  return named;
}

}  // namespace

double median(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

const char* name_of(Method method) { return method == Method::boxes ? "boxes" : "scan"; }

void Report::add(const std::vector<PassTime>& times) {
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    keep(samples_[i], times[i].milliseconds);
    latest_[i] = by_name(times[i].within);
  }
}

void Report::add_frame(double host_milliseconds) {
  keep(frames_, host_milliseconds);
  ++count_;
}

double Report::recent(std::size_t pass) const {
  const std::span<const double> times = samples_[pass];
  return median(times.last(std::min(times.size(), recent_frames)));
}

nlohmann::ordered_json Report::json(const Summary& summary) const {
  nlohmann::ordered_json json;
  json["device"] = summary.device;
  json["points"] = summary.shape.points;
  json["dimensions"] = summary.shape.dimensions;
  json["neighbours"] = summary.shape.neighbours;
  json["queries"] = summary.shape.queries();
  json["method"] = name_of(summary.shape.method);
  json["shown"] = summary.shown;
  json["frames"] = count_;
  json["first_search_milliseconds"] = summary.first_search_milliseconds;
  json["frame_milliseconds"] = median(frames_);
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    auto& pass = json["pass_milliseconds"][passes_[i]];
    pass = {{"median", median(samples_[i])},
            {"least", samples_[i].empty() ? 0 : *std::min_element(samples_[i].begin(), samples_[i].end())}};
    for (const Part& part : latest_[i])
      pass["within"][part.name] = {{"count", part.count}, {"latest", part.milliseconds}};
  }
  json["checked_queries"] = summary.checked_queries;
  json["different_queries"] = summary.different_queries;
  if (summary.clusters != 0) {
    json["clusters"] = summary.clusters;
    json["different_clusters"] = summary.different_clusters;
  }
  if (summary.laid_out) json["different_positions"] = summary.different_positions;
  return json;
}

}  // namespace engine
