#include "passes/canonical.hpp"
#include "passes/grids.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/pair_distance.h"

namespace proxel {

Pass passes::make_pair_distance(const PairDistanceParameters& parameters, Metric metric) {
  // There are as many invocations as one grid direction holds; the paper has one per pair.
  const std::uint64_t pairs = divide_up(parameters.row_count, pair_rows) * pair_rows *
                              divide_up(parameters.query_count, pair_queries) * pair_queries;
  const auto groups =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(divide_up(pairs, common_workgroup), largest_grid_extent));
  return make_pass(pair_distance, parameters, {.metric = accumulated(metric)}, {groups, 1, 1}, common_workgroup);
}

PROXEL_THREADED_PASS(pair_distance)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<PairDistanceParameters>();
  const auto metric = pass.constants_as<PairDistanceConstants>().metric;
  for (std::uint64_t row = 0; row < parameters.row_count; ++row)
    for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
      const float* values = at<const float>(parameters.queries) + query * parameters.query_stride;
      at<std::uint32_t>(parameters.keys)[row * parameters.row_pitch + query] = distance_key(
          canonical_distance(metric, values, parameters.rows, parameters.first_row + row, parameters.dimensions),
          largest_first(metric));
    }
}

}  // namespace proxel
