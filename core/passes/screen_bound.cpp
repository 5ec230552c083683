#include "proxel/passes/screen_bound.h"

#include <cmath>
#include <limits>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"
#include "proxel/passes/screen_origin.h"

namespace proxel {

Pass passes::make_screen_bound(const ScreenBoundParameters& parameters, Metric metric) {
  return make_pass(screen_bound, parameters, {.metric = accumulated(metric)},
                   {strided_groups(divide_up(parameters.query_count, common_workgroup)), 1, 1}, common_workgroup);
}

namespace {

using namespace passes;

// What a product of a query is more than its score, and the sum of the magnitudes of what is added up for that.
struct Offset {
  double value = 0;
  double magnitude = 0;
};

Offset offset_of(const ScreenBoundParameters& parameters, double scale, std::uint64_t query) {
  const auto* values = at<const float>(parameters.queries) + query * parameters.dimensions;
  Offset offset;
  for (std::uint32_t i = 0; i < parameters.dimensions; ++i) {
    const double origin = parameters.frame == 0 ? static_cast<double>(parameters.origin)
                                                : at<const float>(parameters.frame)[screen_frame_origin + i];
    const double q = scale * values[i], m = scale * origin;
    offset.value += q * m;
    offset.magnitude += (std::fabs(q) + 0x1p-100) * (std::fabs(m) + 0x1p-100);
  }
  return offset;
}

double threshold_of_product(const ScreenBoundParameters& parameters, double scale, double known, std::uint64_t query,
                            const QueryBounds& own) {
  const Offset offset = offset_of(parameters, scale, query);
  const double rounding =
      2 * canonical_rounding(parameters.dimensions) * offset.magnitude + canonical_underflow(parameters.dimensions);
  const double product = scale * scale * known;
  return product - offset.value - own.fixed_slack - rounding - 0x1p-20 * (std::fabs(product) + offset.magnitude);
}

double threshold_of_distance(const ScreenBoundParameters& parameters, double scale, double known,
                             const QueryBounds& own) {
  const double reach = 0.5 * scale * scale * known * (1 + own.relative_slack);
  // The stored half is rounded up.
  const double half_norm = own.half_norm * (2 - norm_rounding(parameters.dimensions) - 0x1p-20);
  return half_norm - reach - own.fixed_slack - 0x1p-20 * (own.half_norm + reach);
}

}  // namespace

PROXEL_PASS(screen_bound)(const Pass& pass) {
  const auto parameters = pass.as<ScreenBoundParameters>();
  const bool inner_product = pass.constants_as<ScreenBoundConstants>().metric == Metric::ip;
  const double scale = parameters.frame == 0 ? 1 : at<const float>(parameters.frame)[0];
  for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
    QueryBounds& own = at<QueryBounds>(parameters.query_bounds)[query];
    const double known = at<const float>(parameters.bounds)[query];
    float& sampled = at<float>(parameters.thresholds)[query];
    if (parameters.alone != 0) sampled = std::numeric_limits<float>::infinity();
    if (own.certifiable == 0 || !std::isfinite(known) || (!inner_product && known < 0)) continue;
    const double threshold = inner_product ? threshold_of_product(parameters, scale, known, query, own)
                                           : threshold_of_distance(parameters, scale, known, own);
    if (!(threshold >= least_certifying_bound) || !std::isfinite(static_cast<float>(threshold))) continue;
    if (std::isfinite(sampled) && sampled >= threshold) continue;
    sampled = static_cast<float>(threshold);
    own.certifiable = screen_bounded;
  }
}

}  // namespace proxel
