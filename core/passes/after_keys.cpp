#include "passes/canonical.hpp"
#include "passes/decoded_distance.hpp"
#include "passes/finish_bound.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/after_keys.h"

namespace proxel {

Pass passes::make_after_keys(const AfterKeysParameters& parameters, Metric metric) {
  // A query is one invocation's work: small workgroups spread even a few.
  constexpr std::uint32_t workgroup = 64;
  return make_pass(after_keys, parameters, {.metric = accumulated(metric), .finish = finish_of(metric)},
                   {strided_groups(divide_up(parameters.query_count, workgroup)), 1, 1}, workgroup);
}

PROXEL_PASS(after_keys)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<AfterKeysParameters>();
  const auto constants = pass.constants_as<AfterKeysConstants>();
  const auto metric = constants.metric;
  const bool largest = largest_first(metric);
  const std::uint32_t finish = constants.finish;
  // What a caller sees of finished distances is smallest first.
  const bool seen_largest = largest && finish == finish_none;
  for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
    const std::uint64_t pair = query * parameters.pair_stride;
    const float distance = at<const float>(parameters.distances)[pair];
    const std::uint32_t index = at<const std::uint32_t>(parameters.indices)[pair];
    std::uint64_t& key = at<std::uint64_t>(parameters.keys)[query];
    if (finish != finish_none && index >= parameters.first_index &&
        index - parameters.first_index < parameters.rows.count) {
      const float* values = at<const float>(parameters.queries) + query * parameters.query_stride;
      const std::uint64_t own =
          make_key(distance_key(canonical_distance(metric, values, parameters.rows, index - parameters.first_index,
                                                   parameters.dimensions),
                                largest),
                   index);
      if (distance_key(decoded_distance(own, largest, finish), seen_largest) == distance_key(distance, seen_largest)) {
        key = own;
        continue;
      }
    }
    if (parameters.others == 0) continue;
    if (index == index_of(no_row_key))
      key = no_row_key;
    else
      key = make_key(distance_key(last_seen_within(distance, finish), largest), index);
  }
}

}  // namespace proxel
