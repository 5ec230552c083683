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
#include "proxel/passes/screen_survivors.h"
#include "proxel/passes/screen_threshold.h"

namespace proxel {

Pass passes::make_screen_threshold(const ScreenThresholdParameters& parameters, std::uint32_t counting_workgroup,
                                   std::uint32_t workgroup_size) {
  const Grid grid{strided_groups(parameters.query_count), 1, 1};
  // What a shader has beside keys and counts, whichever it uses: a bin, its place, sums, and what a range is halved by.
  const std::uint32_t beside = 4 * (1 + 2 + 9) + subgroup_sums_bytes(workgroup_size);
  if (counting_workgroup != 0)
    return make_pass(screen_threshold, parameters, {.run = 0}, grid, counting_workgroup,
                     counting_bytes + kth_smallest_bytes(0) + beside);
  const std::uint32_t run = std::max(2u, std::bit_ceil(parameters.rank));
  return make_pass(screen_threshold, parameters, {.run = run}, grid, workgroup_size, kth_smallest_bytes(run) + beside);
}

PROXEL_PASS(screen_threshold)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ScreenThresholdParameters>();
  std::vector<float> bounds;
  const std::uint32_t count = selected_count(parameters.selected, parameters.first_selected, parameters.query_count);
  for (std::uint64_t query = 0; query < count; ++query) {
    float& threshold = at<float>(parameters.thresholds)[query];
    threshold = std::numeric_limits<float>::infinity();
    const QueryBounds own = query_bounds_at(parameters.query_bounds, query);
    if (parameters.groups < parameters.rank || own.certifiable == 0) continue;
    const float* first = at<const float>(parameters.lower_bounds) + query * parameters.groups;
    bounds.assign(first, first + parameters.groups);
    std::nth_element(bounds.begin(), bounds.begin() + (parameters.rank - 1), bounds.end(), std::greater<>());
    const float lower_bound = bounds[parameters.rank - 1];
    if (!(lower_bound >= least_certifying_bound)) continue;
    threshold = screening_threshold(own, lower_bound);
    if (parameters.estimated == 0) continue;
    auto& marked = at<QueryBounds>(parameters.query_bounds)[query];
    marked.certifiable = screen_estimated;
    marked.estimated = threshold;
  }
}

}  // namespace proxel
