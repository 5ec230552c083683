#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/range_offsets.h"

namespace proxel {

Pass passes::make_range_offsets(const RangeOffsetsParameters& parameters) {
  return make_pass(range_offsets, parameters, {}, {1, 1, 1}, common_workgroup, common_workgroup * 8);
}

PROXEL_PASS(range_offsets)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<RangeOffsetsParameters>();
  auto* offsets = at<std::uint64_t>(parameters.offsets);
  if (parameters.continues == 0) offsets[0] = 0;
  for (std::uint64_t query = 0; query < parameters.queries; ++query)
    offsets[query + 1] = offsets[query] + at<const std::uint32_t>(parameters.counters)[query];
}

}  // namespace proxel
