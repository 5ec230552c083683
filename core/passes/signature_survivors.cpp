#include <algorithm>
#include <limits>

#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/signature_survivors.h"

namespace proxel {

Pass passes::make_signature_survivors(const SignatureSurvivorsParameters& parameters, std::uint32_t groups,
                                      std::uint32_t query_count) {
  return make_pass(signature_survivors, parameters, {}, {groups, query_count, 1}, signature_block, signature_block * 4);
}

PROXEL_PASS(signature_survivors)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<SignatureSurvivorsParameters>();
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    float limit = at<const float>(p.limits)[query];
    if (p.squares != 0) {
      float largest = 0;
      for (std::uint64_t i = 0; i < p.k; ++i) largest = std::max(largest, at<const float>(p.squares)[query * p.k + i]);
      limit = (largest + largest * 0x1p-20f) + limit;
    }
    float* bounds = at<float>(p.bounds) + query * p.bound_stride;
    std::uint32_t* list = at<std::uint32_t>(p.lists) + query * p.bound_stride;
    std::uint32_t& count = at<std::uint32_t>(p.counts)[query];
    for (std::uint32_t object = 0; object < p.objects; ++object) {
      if (bounds[object] <= limit)
        list[count++] = object;
      else
        bounds[object] = std::numeric_limits<float>::quiet_NaN();
    }
  }
}

}  // namespace proxel
