#include <algorithm>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/selection_rows.hpp"
#include "proxel/passes/group_minima.h"

namespace proxel {

Pass passes::make_group_minima(const GroupMinimaParameters& parameters, bool largest_first,
                               std::uint32_t workgroup_size, std::uint32_t merge) {
  const Grid rows = row_grid(parameters.rows.rows);
  return make_pass(group_minima, parameters, {.merge = merge, .largest_first = largest_first},
                   {parameters.groups * merge / workgroup_size, rows.x, rows.y}, workgroup_size, 8 * workgroup_size);
}

PROXEL_THREADED_PASS(group_minima)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<GroupMinimaParameters>();
  const auto constants = pass.constants_as<GroupMinimaConstants>();
  const std::uint32_t merge = constants.merge;
  const bool largest_first = constants.largest_first != 0;
  for (std::uint64_t row = 0; row < parameters.rows.rows; ++row) {
    auto* minima = at<std::uint64_t>(parameters.minima) + row * parameters.groups;
    std::fill(minima, minima + parameters.groups, no_row_key);
    const float* values = row_values(parameters.rows, row);
    const std::uint64_t skip = reinterpret_cast<std::uintptr_t>(values) / 4 % 4;
    for (std::uint32_t column = 0; column < parameters.rows.columns; ++column) {
      const std::uint64_t piece = (column + skip) / 8;
      std::uint64_t& minimum = minima[piece / merge % parameters.groups];
      minimum = std::min(minimum, make_key(distance_key(values[column], largest_first), column));
    }
  }
}

}  // namespace proxel
