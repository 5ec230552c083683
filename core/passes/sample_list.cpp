#include "proxel/passes/sample_list.h"

#include <algorithm>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/selection_rows.hpp"

namespace proxel {

Pass passes::make_sample_list(const SampleListParameters& parameters, bool largest_first,
                              std::uint32_t workgroup_size) {
  // A row that does not begin at a multiple of 16 bytes may have one four more.
  const std::uint64_t fours = divide_up(std::uint64_t{parameters.rows.columns} + 3, 4);
  const Grid rows = row_grid(parameters.rows.rows);
  return make_pass(sample_list, parameters, {.largest_first = largest_first},
                   {static_cast<std::uint32_t>(divide_up(fours, parameters.segment_fours)), rows.x, rows.y},
                   workgroup_size, 8 * listed_at_once + 16 * most_sample_parts + 4);
}

PROXEL_THREADED_PASS(sample_list)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<SampleListParameters>();
  const bool largest_first = pass.constants_as<SampleListConstants>().largest_first != 0;
  for (std::uint64_t row = 0; row < parameters.rows.rows; ++row) {
    const float* values = row_values(parameters.rows, row);
    const std::uint64_t parts = parameters.parts;
    const auto* bounds = at<const std::uint64_t>(parameters.bounds) + row * parts;
    auto* counters = at<std::uint32_t>(parameters.counters) + row * parts;
    auto* lists = at<std::uint64_t>(parameters.lists) + 2 * row * parts * parameters.room;
    for (std::uint32_t column = 0; column < parameters.rows.columns; ++column) {
      const std::uint64_t key = make_key(distance_key(values[column], largest_first), column);
      const std::uint64_t part = static_cast<std::uint64_t>(std::lower_bound(bounds, bounds + parts, key) - bounds);
      if (part == parts) continue;
      const std::uint32_t place = counters[part]++;
      if (place < parameters.room) lists[part * parameters.room + place] = key;
    }
  }
}

}  // namespace proxel
