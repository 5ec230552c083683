#include <algorithm>

#include "passes/reference.hpp"
#include "passes/signature_bounds.hpp"
#include "proxel/passes/signature_bounds.h"

namespace proxel {

Pass passes::make_signature_bounds(const SignatureBoundsParameters& parameters, std::uint32_t groups,
                                   std::uint32_t query_count) {
  return make_pass(signature_bounds, parameters, {}, {groups, query_count, 1}, signature_block,
                   (2 * signature_pivots * signature_pivots + 2 * signature_pivots) * 4);
}

PROXEL_THREADED_PASS(signature_bounds)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<SignatureBoundsParameters>();
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const PivotFactors factors(p, query);
    for (std::uint64_t object = 0; object < p.objects; ++object) {
      const auto low = [&](std::uint64_t i) { return at<const float>(p.low)[i * p.object_stride + object]; };
      const auto high = [&](std::uint64_t i) { return at<const float>(p.high)[i * p.object_stride + object]; };
      float bound = 0;
      for (std::uint32_t i = 0; i < signature_pivots; ++i)
        bound = std::max({bound, factors.low[i] - high(i), low(i) - factors.high[i]});
      for (std::uint32_t pair = 0; pair < factors.of_near.size(); ++pair)
        bound = std::max(bound, factors.of_near[pair] * low(pair / signature_pivots) -
                                    factors.of_other[pair] * high(pair % signature_pivots));
      at<float>(p.bounds)[query * p.bound_stride + object] = lowered_square(bound);
    }
  }
}

}  // namespace proxel
