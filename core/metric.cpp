#include "proxel/metric.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxel/error.hpp"

namespace proxel {
namespace {

constexpr std::string_view name_of(Metric metric) {
  switch (metric) {
    case Metric::l1:
      return "l1";
    case Metric::l2sq:
      return "l2sq";
    case Metric::linf:
      return "linf";
    case Metric::ip:
      return "ip";
    case Metric::l2:
      return "l2";
    case Metric::cosine:
      return "cosine";
    case Metric::pearson:
      return "pearson";
  }
  return {};
}

// What loops over all metrics, tests among them, would pass over one that is missing from the list.
constexpr bool lists_every_metric() {
  for (std::uint32_t number = 0; number <= all_metrics.size(); ++number) {
    const auto metric = static_cast<Metric>(number);
    const bool listed = std::find(all_metrics.begin(), all_metrics.end(), metric) != all_metrics.end();
    if (listed == name_of(metric).empty()) return false;
  }
  return true;
}
static_assert(lists_every_metric(), "all_metrics has every enumerator, numbered from 0 without gaps");

constexpr bool lists_what_passes_evaluate() {
  std::size_t found = 0;
  for (const Metric metric : all_metrics)
    if (accumulated(metric) == metric)
      if (found == accumulated_metrics.size() || accumulated_metrics[found++] != metric) return false;
  return found == accumulated_metrics.size();
}
static_assert(lists_what_passes_evaluate(), "accumulated_metrics has those of all_metrics that are not another's");

}  // namespace

std::string_view to_string(Metric metric) {
  const std::string_view name = name_of(metric);
  return name.empty() ? "unknown" : name;
}

Metric metric_from_string(std::string_view name) {
  std::array<std::string_view, all_metrics.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = to_string(all_metrics[i]);
    if (names[i] == name) return all_metrics[i];
  }
  throw Error(ErrorCode::invalid_argument, "metric",
              fmt::format("'{}' was given; {} are allowed", name, fmt::join(names, ", ")));
}

}  // namespace proxel
