#include "proxel/passes/screen_bound.h"

#include <cmath>
#include <limits>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"

namespace proxel {

Pass passes::make_screen_bound(const ScreenBoundParameters& parameters) {
  return make_pass(screen_bound, parameters, {},
                   {strided_groups(divide_up(parameters.query_count, common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_PASS(screen_bound)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ScreenBoundParameters>();
  const double scale = parameters.frame == 0 ? 1 : at<const float>(parameters.frame)[0];
  for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
    QueryBounds& own = at<QueryBounds>(parameters.query_bounds)[query];
    const double bound = at<const float>(parameters.bounds)[query];
    const double reach = 0.5 * scale * scale * bound * (1 + own.relative_slack);
    // The stored half is rounded up.
    const double half_norm = own.half_norm * (2 - norm_rounding(parameters.dimensions) - 0x1p-20);
    const double threshold = half_norm - reach - own.fixed_slack - 0x1p-20 * (own.half_norm + reach);
    float& sampled = at<float>(parameters.thresholds)[query];
    if (parameters.alone != 0) sampled = std::numeric_limits<float>::infinity();
    if (own.certifiable == 0 || !(bound >= 0) || !std::isfinite(bound) || !(threshold >= least_certifying_bound))
      continue;
    if (std::isfinite(sampled) && sampled >= threshold) continue;
    sampled = static_cast<float>(threshold);
    own.certifiable = screen_bounded;
  }
}

}  // namespace proxel
