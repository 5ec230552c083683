#include "passes/canonical.hpp"
#include "passes/grids.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "passes/smallest.hpp"
#include "proxel/passes/reevaluate.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_reevaluate(const ReevaluateParameters& parameters, Metric metric, std::uint32_t query_count) {
  const std::uint32_t length = list_length(parameters.k);
  return make_pass(reevaluate, parameters, {.metric = accumulated(metric), .list_length = length}, {query_count, 1, 1},
                   common_workgroup, selection_shared_bytes(length, common_workgroup));
}

PROXEL_THREADED_PASS(reevaluate)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ReevaluateParameters>();
  const auto metric = pass.constants_as<ReevaluateConstants>().metric;
  std::vector<std::uint64_t> keys;
  for (std::uint64_t query = 0; query < pass.grid.x; ++query) {
    const float* values = at<const float>(parameters.queries) + query * parameters.query_stride;
    const auto* candidates = at<const std::uint32_t>(parameters.candidates) + query * parameters.query_pitch;
    const After after(parameters.after, query, parameters.after_stride);
    keys.clear();
    for (std::uint64_t i = 0; i < parameters.count; ++i) {
      const std::uint32_t index = candidates[i * parameters.rank_pitch];
      const std::uint64_t row = std::uint64_t{index} - parameters.first_index;
      if (index < parameters.first_index || row >= parameters.rows.count) continue;
      const float distance = canonical_distance(metric, values, parameters.rows, row, parameters.dimensions);
      const std::uint64_t key = make_key(distance_key(distance, largest_first(metric)), index);
      if (after.admits(key)) keys.push_back(key);
    }
    write_smallest(keys, parameters.k, at<std::uint64_t>(parameters.keys) + query * parameters.keys_stride);
  }
}

}  // namespace proxel
