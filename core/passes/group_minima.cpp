#include <algorithm>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/selection_rows.hpp"
#include "proxel/passes.hpp"

namespace proxel {

Pass passes::make_group_minima(const GroupMinimaParameters& parameters, bool largest_first,
                               std::uint32_t workgroup_size, std::uint32_t merge) {
  const Grid rows = row_grid(parameters.rows.rows);
  return make_pass("group_minima", parameters, {workgroup_size, merge, largest_first},
                   {parameters.groups * merge / workgroup_size, rows.x, rows.y}, workgroup_size, 8 * workgroup_size);
}

void reference::group_minima(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<GroupMinimaParameters>();
  const std::uint32_t merge = pass.constants[1];
  const bool largest_first = pass.constants[2] != 0;
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
