#include "passes/canonical.hpp"
#include "passes/grids.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/candidate_distance.h"

namespace proxel {

Pass passes::make_candidate_distance(const CandidateDistanceParameters& parameters, Metric metric,
                                     std::uint32_t query_count) {
  return make_pass(candidate_distance, parameters, {.metric = accumulated(metric)},
                   {strided_groups(divide_up(parameters.count, common_workgroup)), query_count, 1}, common_workgroup);
}

PROXEL_THREADED_PASS(candidate_distance)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<CandidateDistanceParameters>();
  const auto metric = pass.constants_as<CandidateDistanceConstants>().metric;
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const float* values = at<const float>(parameters.queries) + query * parameters.query_stride;
    const auto* candidates = at<const std::uint32_t>(parameters.candidates) + query * parameters.candidate_stride;
    auto* keys = at<std::uint32_t>(parameters.keys) + query * parameters.keys_stride;
    for (std::uint64_t i = 0; i < parameters.count; ++i) {
      const std::uint32_t index = candidates[i];
      const std::uint64_t row = std::uint64_t{index} - parameters.first_index;
      if (index < parameters.first_index || row >= parameters.rows.count) continue;
      keys[i] = distance_key(canonical_distance(metric, values, parameters.rows, row, parameters.dimensions),
                             largest_first(metric));
    }
  }
}

}  // namespace proxel
