#include "index/expected_times.hpp"

// What searches take a processor.

#include <algorithm>
#include <cmath>

#include "index/choice_limits.hpp"
#include "index/expected_sizes.hpp"
#include "search/code_errors.hpp"
#include "search/occupancy.hpp"

namespace proxel::index {
namespace {

// Few queries read all rows, and list what is near; of more a matrix is made, from which they are selected.
double expected_scan_on_host(const SearchDescription& description) {
  const Sizes s(description);
  if (description.queries < search::few_queries)
    return 0.03 + 4.45e-8 * s.n * s.d * (0.42 + s.q) + 8.6e-6 * s.q * std::pow(s.k, 0.467) * std::pow(s.n, 0.633);
  return 0.062 + s.q * (1.9e-8 * s.n * s.d + 3.34e-7 * s.n + 2.94e-5 * std::pow(s.k, 0.546) * std::pow(s.n, 0.42));
}

// Rows that a processor looks at for each neighbour, as codes leave them.
double near_on_cpu(const SearchDescription& description) {
  const Metric metric = accumulated(description.metric);
  if (metric == Metric::linf) return 7.2;
  return search::near_within(metric == Metric::l1 ? 0.055 : 0.0345, description.rows, description.dimensions,
                             description.k);
}

}  // namespace

bool codes_spare_time_on_cpu(const SearchDescription& description) {
  // Too few rows for any difference to matter.
  if (description.rows < worthwhile_coded_rows) return false;
  const Sizes s(description);
  const double codes = 1.48e-8 * s.n * s.d * std::pow(s.q, 0.386);
  const double of_query = 0.0176 * std::pow(s.k, 0.412) + s.k * near_on_cpu(description) * (2.36e-4 + 9.8e-7 * s.d);
  return codes + s.q * of_query < expected_scan_on_host(description);
}

HostTimes expected_times_on_host(const SearchDescription& description, BackendKind backend) {
  const Sizes s(description);
  const double through_backend = backend == BackendKind::vulkan ? 2.2 : 1;
  // A query is one thread's, so that two and three take as long; of a single one, which is searched again, caches have the boxes.
  const double queries = description.queries == 1 ? 1.32 : std::max(s.q, 3.0);
  const double boxes = (0.8 + 0.0586 * s.d) * std::pow(std::max(s.n, 1024.0) / 1024, 0.07 * s.d) *
                       (1 + 0.129 * std::pow(s.k, 0.73 - 0.0203 * s.d));
  return {expected_scan_on_host(description), through_backend * boxes * queries / 1000, 0.3 + 0.00025 * s.n * s.d};
}

}  // namespace proxel::index
