#include <cmath>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/certify_expansion.h"

namespace proxel {

Pass passes::make_certify_expansion(const CertifyExpansionParameters& parameters) {
  return make_pass(certify_expansion, parameters, {},
                   {strided_groups(divide_up(parameters.query_count, common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_PASS(certify_expansion)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<CertifyExpansionParameters>();
  const float largest = *at<const float>(parameters.largest);
  const auto dimensions = static_cast<float>(parameters.dimensions);
  auto* undecided = at<std::uint32_t>(parameters.undecided);
  for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
    const std::uint64_t last = query * parameters.keys_stride + parameters.k - 1;
    const float farthest =
        value_of_distance_key(distance_key_of(at<const std::uint64_t>(parameters.keys)[last]), false);
    const float screened =
        value_of_distance_key(at<const std::uint32_t>(parameters.screened)[query * parameters.screened_pitch], false);
    const float norm = at<const float>(parameters.norms)[query];
    const float scale = largest + norm;
    const float bound = (dimensions + 8) * 0x1p-21f * scale + dimensions * 0x1p-120f;
    // Comparisons with NaN are false, and leave the query undecided.
    const bool in_range = scale <= 0x1p120f && dimensions <= 0x1p20f;
    if (in_range && (std::isnan(screened) || screened + norm - bound > farthest)) continue;
    undecided[4 + undecided[0]++] = static_cast<std::uint32_t>(parameters.first_query + query);
  }
}

}  // namespace proxel
