#include "proxel/metric.hpp"

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxel/error.hpp"

namespace proxel {

std::string_view to_string(Metric metric) {
  switch (metric) {
    case Metric::l1: return "l1";
    case Metric::l2sq: return "l2sq";
    case Metric::linf: return "linf";
    case Metric::ip: return "ip";
    case Metric::l2: return "l2";
    case Metric::cosine: return "cosine";
    case Metric::pearson: return "pearson";
  }
  return "unknown";
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
