#include "kernels/chain.cuh"
#include "kernels/screen_bound.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_bound.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenBoundParameters;

__global__ void __launch_bounds__(1024) bound(const Parameters p) {
  follow_previous_pass();
  const float scale = p.frame == 0 ? 1.0f : *reinterpret_cast<const float*>(p.frame);
  // The stored half of the squared norm is rounded up by no more than this, relatively.
  const float excess = static_cast<float>(p.dimensions + 64) * 0x1p-22f + 0x1p-20f;
  for_each_strided(p.query_count, [&](std::uint64_t query) {
    const QueryBounds own(p.query_bounds, query);
    const float known = reinterpret_cast<const float*>(p.bounds)[query];
    const float reach = 0.5f * scale * scale * known * (1.0f + own.slack.y);
    const float half_norm = own.slack.x * (1.0f - excess);
    const float threshold = half_norm - reach - own.slack.z - 0x1p-20f * (own.slack.x + reach);
    float& sampled = reinterpret_cast<float*>(p.thresholds)[query];
    if (p.alone != 0) sampled = __int_as_float(0x7F800000);
    if (!own.certifiable() || !(known >= 0) || !isfinite(known) || !QueryBounds::certifies(threshold)) return;
    if (isfinite(sampled) && sampled >= threshold) return;
    sampled = threshold;
    reinterpret_cast<float*>(p.query_bounds)[8 * query + 3] = passes::screen_bounded;
  });
}

}  // namespace

PROXEL_KERNEL(screen_bound)(const Pass&) { return variant(bound); }

}  // namespace proxel::cuda
