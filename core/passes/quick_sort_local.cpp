#include <algorithm>

#include "passes/grids.hpp"
#include "passes/quick_sort.hpp"
#include "passes/reference.hpp"
#include "passes/selection_rows.hpp"
#include "proxel/passes/quick_sort_local.h"

namespace proxel {

std::uint32_t passes::quick_sort_shared_bytes(std::uint32_t part, std::uint32_t workgroup_size) {
  // Keys; short subsequences, of two keys and a pivot at least; those for single
  // subgroups; the stacks; five counters.
  return part * 8 + (part / 3 + 1) * 4 + part / quick_sort_short * 4 + (quick_sort_stack + workgroup_size) * 4 + 5 * 4;
}

Pass passes::make_quick_sort_local(const QuickSortLocalParameters& parameters, bool largest_first,
                                   std::uint32_t workgroup_size, std::uint32_t part) {
  return make_pass(quick_sort_local, parameters, {.largest_first = largest_first, .part = part},
                   tile_grid(divide_up(parameters.rows.columns, part), parameters.rows.rows), workgroup_size,
                   quick_sort_shared_bytes(part, workgroup_size));
}

std::uint64_t passes::part_count(const Pass& pass) {
  return divide_up(pass.as<QuickSortLocalParameters>().rows.columns, pass.constants_as<QuickSortLocalConstants>().part);
}

void passes::sort_part(const Pass& pass, std::uint64_t row, std::uint64_t part, std::vector<std::uint64_t>& keys) {
  const auto parameters = pass.as<QuickSortLocalParameters>();
  const auto constants = pass.constants_as<QuickSortLocalConstants>();
  const SelectionRows& rows = parameters.rows;
  const SelectionResult& result = parameters.result;
  const bool largest_first = constants.largest_first != 0;
  const std::uint64_t first = part * constants.part;
  const std::uint64_t end = std::min<std::uint64_t>(first + constants.part, rows.columns);
  keys.clear();
  for (std::uint64_t column = first; column < end; ++column)
    keys.push_back(
        make_key(distance_key(row_values(rows, row)[column], largest_first), static_cast<std::uint32_t>(column)));
  std::sort(keys.begin(), keys.end());
  if (parameters.target) {
    auto* target = at<std::uint64_t>(parameters.target) + row * rows.columns + first;
    std::copy_n(keys.begin(), std::min<std::size_t>(keys.size(), result.k), target);
  } else {
    keys.resize(result.k, no_row_key);
    write_selected(result, rows, row, largest_first, keys.data());
  }
}

PROXEL_THREADED_PASS(quick_sort_local)(const Pass& pass) {
  std::vector<std::uint64_t> keys;
  const std::uint64_t rows = pass.as<passes::QuickSortLocalParameters>().rows.rows;
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint64_t part = 0; part < passes::part_count(pass); ++part) passes::sort_part(pass, row, part, keys);
}

}  // namespace proxel
