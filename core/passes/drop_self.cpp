#include <algorithm>

#include "passes/counted.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/drop_self.h"

namespace proxel {

Pass passes::make_drop_self(DropSelfParameters parameters) {
  parameters.block = std::clamp(drop_self_slots / parameters.k, 1u, drop_self_queries);
  return make_pass(drop_self, parameters, {}, {strided_groups(divide_up(parameters.queries, parameters.block)), 1, 1},
                   common_workgroup);
}

PROXEL_PASS(drop_self)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<DropSelfParameters>();
  const std::uint64_t k = parameters.k;
  const std::uint32_t queries = counted_queries(parameters.counted, parameters.queries);
  for (std::uint64_t query = 0; query < queries; ++query) {
    const auto* found = at<const std::uint32_t>(parameters.found_indices) + query * (k + 1);
    const auto* distances = at<const float>(parameters.found_distances) + query * (k + 1);
    const std::uint32_t self = at<const std::uint32_t>(parameters.self)[query];
    const auto place = static_cast<std::uint64_t>(std::find(found, found + k, self) - found);
    const auto copy_others = [&](const auto* from, auto* to) {
      std::copy(from, from + place, to);
      std::copy(from + place + 1, from + k + 1, to + place);
    };
    copy_others(found, at<std::uint32_t>(parameters.indices) + query * k);
    copy_others(distances, at<float>(parameters.distances) + query * k);
  }
}

}  // namespace proxel
