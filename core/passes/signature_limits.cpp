#include <algorithm>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/signature_limits.h"

namespace proxel {

Pass passes::make_signature_limits(const SignatureLimitsParameters& parameters) {
  return make_pass(signature_limits, parameters, {},
                   {strided_groups(divide_up(parameters.query_count, common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_PASS(signature_limits)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<SignatureLimitsParameters>();
  for (std::uint64_t query = 0; query < p.query_count; ++query) {
    const float value = std::max(at<const float>(p.selected)[query * p.k + p.k - 1], 0.0f);
    at<float>(p.limits)[query] = (value + value * 0x1p-20f) + at<const float>(p.margins)[query];
  }
}

}  // namespace proxel
