#include <algorithm>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/selection_rows.hpp"
#include "proxel/passes/truncated_sort.h"

namespace proxel {

Pass passes::make_truncated_sort(const TruncatedSortParameters& parameters, bool largest_first,
                                 std::uint32_t workgroup_size) {
  return make_pass(truncated_sort, parameters, {.largest_first = largest_first},
                   tile_grid(divide_up(parameters.count, truncated_tile), parameters.rows.rows), workgroup_size,
                   truncated_tile * 8);
}

PROXEL_PASS(truncated_sort)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TruncatedSortParameters>();
  const bool largest_first = pass.constants_as<TruncatedSortConstants>().largest_first != 0;
  const std::uint64_t tiles = divide_up(parameters.count, truncated_tile);
  for (std::uint64_t row = 0; row < parameters.rows.rows; ++row)
    for (std::uint64_t tile = 0; tile < tiles; ++tile) {
      std::vector<std::uint64_t> keys(truncated_tile, no_row_key);
      const std::uint64_t first = tile * truncated_tile;
      const std::uint64_t count = std::min<std::uint64_t>(parameters.count - first, truncated_tile);
      for (std::uint64_t i = 0; i < count; ++i)
        keys[i] = parameters.source ? at<const std::uint64_t>(parameters.source)[row * parameters.count + first + i]
                                    : make_key(distance_key(row_values(parameters.rows, row)[first + i], largest_first),
                                               static_cast<std::uint32_t>(first + i));
      std::partial_sort(keys.begin(), keys.begin() + parameters.list, keys.end());
      if (parameters.target) {
        std::copy_n(keys.begin(), parameters.list,
                    at<std::uint64_t>(parameters.target) + (row * tiles + tile) * parameters.list);
        continue;
      }
      // What is past the list is past the row.
      std::fill(keys.begin() + parameters.list, keys.end(), no_row_key);
      keys.resize(std::max<std::size_t>(keys.size(), parameters.result.k), no_row_key);
      write_selected(parameters.result, parameters.rows, row, largest_first, keys.data());
    }
}

}  // namespace proxel
