#include <bit>

#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/matches.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/range_collect.h"

namespace proxel {

Pass passes::make_range_collect(const RangeCollectParameters& parameters, std::uint32_t query_count,
                                std::uint32_t content) {
  const auto segments = static_cast<std::uint32_t>(divide_up(parameters.columns, parameters.segment_columns));
  return make_pass(range_collect, parameters, {.filtered = parameters.filter_bits != 0, .content = content},
                   {segments, query_count, 1}, common_workgroup);
}

PROXEL_THREADED_PASS(range_collect)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<RangeCollectParameters>();
  const std::uint32_t content = pass.constants_as<RangeCollectConstants>().content;
  const auto* rows = at<const std::uint32_t>(parameters.rows);
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const auto* keys = at<const std::uint32_t>(parameters.keys) + query * parameters.keys_stride;
    const Filter filter(parameters.filter_bits, query, parameters.filter_stride);
    std::uint32_t& counter = at<std::uint32_t>(parameters.counters)[query];
    Matches matches;
    if (parameters.indices != 0) matches = Matches(parameters.offsets, query, parameters.capacity);
    for (std::uint64_t column = 0; column < parameters.columns; ++column) {
      const std::uint64_t index = parameters.first_index + column;
      const std::uint32_t key =
          content == range_keys ? keys[column]
                                : distance_key(std::bit_cast<float>(keys[column]), content == range_values_descending);
      if (key > parameters.limit || !filter.allows(index)) continue;
      if (counter < matches.count) {
        const std::uint64_t slot = matches.first + counter;
        at<std::uint32_t>(parameters.indices)[slot] =
            rows ? rows[query * parameters.rows_stride + column] : static_cast<std::uint32_t>(index);
        at<std::uint32_t>(parameters.distance_keys)[slot] = key;
      }
      ++counter;
    }
  }
}

}  // namespace proxel
