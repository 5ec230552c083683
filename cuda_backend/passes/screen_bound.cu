#include "kernels/chain.cuh"
#include "kernels/screen_bound.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_bound.h"
#include "proxel/passes/screen_origin.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenBoundParameters;

__device__ float threshold_of_product(const Parameters& p, float scale, float known, std::uint64_t query,
                                      const QueryBounds& own) {
  const auto* values = reinterpret_cast<const float*>(p.queries) + query * p.dimensions;
  const auto* origins = reinterpret_cast<const float*>(p.frame) + passes::screen_frame_origin;
  // What the query's products are more than its scores, and the sum of the magnitudes of what is added up for that.
  float offset = 0, magnitude = 0;
  for (unsigned i = 0; i < p.dimensions; ++i) {
    const float q = scale * values[i];
    const float m = scale * (p.frame == 0 ? static_cast<float>(p.origin) : origins[i]);
    offset += q * m;
    magnitude += (fabsf(q) + 0x1p-100f) * (fabsf(m) + 0x1p-100f);
  }
  // 2 gamma, and what underflows.
  const float dimensions = static_cast<float>(p.dimensions);
  const float rounding = 2.02f * (dimensions + 4.0f) * 0x1p-24f * magnitude + dimensions * 0x1p-125f;
  const float product = scale * scale * known;
  return product - offset - own.slack.z - rounding - 0x1p-20f * (fabsf(product) + magnitude);
}

__device__ float threshold_of_distance(const Parameters& p, float scale, float known, const QueryBounds& own) {
  // The stored half of the squared norm is rounded up by no more than this, relatively.
  const float excess = static_cast<float>(p.dimensions + 64) * 0x1p-22f + 0x1p-20f;
  const float reach = 0.5f * scale * scale * known * (1.0f + own.slack.y);
  return own.slack.x * (1.0f - excess) - reach - own.slack.z - 0x1p-20f * (own.slack.x + reach);
}

template <bool inner_product>
__global__ void __launch_bounds__(1024) bound(const Parameters p) {
  follow_previous_pass();
  const float scale = p.frame == 0 ? 1.0f : *reinterpret_cast<const float*>(p.frame);
  for_each_strided(p.query_count, [&](std::uint64_t query) {
    const QueryBounds own(p.query_bounds, query);
    const float known = reinterpret_cast<const float*>(p.bounds)[query];
    float& sampled = reinterpret_cast<float*>(p.thresholds)[query];
    if (p.alone != 0) sampled = __int_as_float(0x7F800000);
    if (!own.certifiable() || !isfinite(known) || (!inner_product && known < 0)) return;
    const float threshold =
        inner_product ? threshold_of_product(p, scale, known, query, own) : threshold_of_distance(p, scale, known, own);
    if (!QueryBounds::certifies(threshold) || !isfinite(threshold)) return;
    if (isfinite(sampled) && sampled >= threshold) return;
    sampled = threshold;
    reinterpret_cast<float*>(p.query_bounds)[8 * query + 3] = passes::screen_bounded;
  });
}

}  // namespace

PROXEL_KERNEL(screen_bound)(const Pass& pass) {
  return pass.constants_as<passes::ScreenBoundConstants>().metric == Metric::ip ? variant(bound<true>)
                                                                                : variant(bound<false>);
}

}  // namespace proxel::cuda
