#include <algorithm>

#include "passes/grids.hpp"
#include "passes/quick_sort.hpp"
#include "passes/reference.hpp"
#include "passes/selection_rows.hpp"
#include "proxel/passes/merge_sorted.h"

namespace proxel {

Pass passes::make_merge_sorted(MergeSortedParameters parameters, bool largest_first, std::uint32_t workgroup_size) {
  const std::uint64_t tile = merge_items * workgroup_size;
  const std::uint64_t merged =
      std::min<std::uint64_t>({2 * std::uint64_t{parameters.run}, parameters.rows.columns, parameters.result.k});
  const std::uint64_t pair_tiles = std::max<std::uint64_t>(divide_up(merged, tile), 1);
  parameters.pair_tiles = static_cast<std::uint32_t>(pair_tiles);
  return make_pass(merge_sorted, parameters, {.largest_first = largest_first},
                   tile_grid(pair_count(parameters) * pair_tiles, parameters.rows.rows), workgroup_size,
                   static_cast<std::uint32_t>(tile * 8 + 2 * 4));
}

std::uint64_t passes::pair_count(const MergeSortedParameters& parameters) {
  return divide_up(parameters.rows.columns, 2 * std::uint64_t{parameters.run});
}

void passes::merge_pair(const Pass& pass, std::uint64_t row, std::uint64_t pair, std::vector<std::uint64_t>& keys) {
  const auto parameters = pass.as<MergeSortedParameters>();
  const SelectionRows& rows = parameters.rows;
  const SelectionResult& result = parameters.result;
  const std::uint64_t first = pair * 2 * parameters.run;
  const auto* left = at<const std::uint64_t>(parameters.source) + row * rows.columns + first;
  const std::uint64_t lefts = std::min<std::uint64_t>(parameters.run, rows.columns - first);
  const std::uint64_t rights = std::min<std::uint64_t>(parameters.run, rows.columns - first - lefts);
  const std::uint64_t read_left = std::min<std::uint64_t>(lefts, result.k);
  const std::uint64_t read_right = std::min<std::uint64_t>(rights, result.k);
  keys.resize(read_left + read_right);
  std::merge(left, left + read_left, left + lefts, left + lefts + read_right, keys.begin());
  if (parameters.target) {
    auto* target = at<std::uint64_t>(parameters.target) + row * rows.columns + first;
    std::copy_n(keys.begin(), std::min<std::size_t>(keys.size(), result.k), target);
  } else {
    keys.resize(result.k, no_row_key);
    write_selected(result, rows, row, pass.constants_as<MergeSortedConstants>().largest_first != 0, keys.data());
  }
}

PROXEL_THREADED_PASS(merge_sorted)(const Pass& pass) {
  const auto parameters = pass.as<passes::MergeSortedParameters>();
  std::vector<std::uint64_t> keys;
  for (std::uint64_t row = 0; row < parameters.rows.rows; ++row)
    for (std::uint64_t pair = 0; pair < passes::pair_count(parameters); ++pair)
      passes::merge_pair(pass, row, pair, keys);
}

}  // namespace proxel
