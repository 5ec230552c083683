#include "proxel/passes/list_distances.h"

#include <algorithm>
#include <numeric>

#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"

namespace proxel {

Pass passes::make_list_distances(const ListDistancesParameters& parameters, std::uint32_t query_count,
                                 std::uint32_t workgroup_size) {
  const std::uint32_t content = parameters.counts == 0   ? distances_all
                                : parameters.values == 0 ? distances_counted
                                                         : distances_listed;
  const std::uint32_t groups = content == distances_all
                                   ? strided_groups(divide_up(parameters.columns, 4 * distances_fours * workgroup_size))
                                   : static_cast<std::uint32_t>(divide_up(parameters.columns, parameters.part_columns));
  return make_pass(list_distances, parameters, {.content = content, .filtered = parameters.filter_bits != 0},
                   {groups, query_count, 1}, workgroup_size, 4 * workgroup_size);
}

PROXEL_PASS(list_distances)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ListDistancesParameters>();
  const std::uint32_t content = pass.constants_as<ListDistancesConstants>().content;
  const bool largest = parameters.largest_first != 0;
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const auto* keys = at<const std::uint32_t>(parameters.keys) + query * parameters.keys_stride;
    auto* values = at<float>(parameters.values) + query * parameters.values_stride;
    if (content == distances_all) {
      for (std::uint64_t column = 0; column < 4 * divide_up(parameters.columns, 4); ++column)
        values[column] = value_of_distance_key(keys[column], largest);
      continue;
    }
    auto* rows = at<std::uint32_t>(parameters.rows) + query * parameters.values_stride;
    auto* counts = at<std::uint32_t>(parameters.counts) + query * parameters.counts_stride;
    const After after(parameters.after, query, parameters.after_stride);
    const Filter filter(parameters.filter_bits, query, parameters.filter_stride);
    std::uint64_t listed = std::accumulate(counts, counts + parameters.first_part, std::uint64_t{0});
    for (std::uint64_t part = 0; part < pass.grid.x; ++part) {
      const std::uint64_t first = part * parameters.part_columns;
      const std::uint64_t end = std::min<std::uint64_t>(first + parameters.part_columns, parameters.columns);
      std::uint32_t count = 0;
      for (std::uint64_t column = first; column < end; ++column) {
        const auto index = static_cast<std::uint32_t>(parameters.first_index + column);
        if (!filter.allows(index) || !after.admits(make_key(keys[column], index))) continue;
        ++count;
        if (content == distances_counted) continue;
        values[listed] = value_of_distance_key(keys[column], largest);
        rows[listed] = index;
        ++listed;
      }
      if (content == distances_counted) counts[parameters.first_part + part] = count;
    }
  }
}

}  // namespace proxel
