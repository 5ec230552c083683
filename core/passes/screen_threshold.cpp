#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <vector>

#include "passes/grids.hpp"
#include "passes/kth_smallest.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"
#include "passes/selected.hpp"
#include "proxel/passes/screen_threshold.h"

namespace proxel {

Pass passes::make_screen_threshold(const ScreenThresholdParameters& parameters) {
  const std::uint32_t run = std::max(2u, std::bit_ceil(parameters.k));
  return make_pass(screen_threshold, parameters, {.run = run}, {strided_groups(parameters.query_count), 1, 1},
                   common_workgroup, kth_smallest_bytes(run));
}

PROXEL_PASS(screen_threshold)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ScreenThresholdParameters>();
  std::vector<float> bounds;
  const std::uint32_t count = selected_count(parameters.selected, parameters.first_selected, parameters.query_count);
  for (std::uint64_t query = 0; query < count; ++query) {
    const float* first = at<const float>(parameters.lower_bounds) + query * parameters.groups;
    bounds.assign(first, first + parameters.groups);
    std::nth_element(bounds.begin(), bounds.begin() + (parameters.k - 1), bounds.end(), std::greater<>());
    const QueryBounds own = query_bounds_at(parameters.query_bounds, query);
    const float lower_bound = bounds[parameters.k - 1];
    const bool decides = own.certifiable != 0 && lower_bound >= least_certifying_bound;
    at<float>(parameters.thresholds)[query] =
        decides ? screening_threshold(own, lower_bound) : std::numeric_limits<float>::infinity();
  }
}

}  // namespace proxel
