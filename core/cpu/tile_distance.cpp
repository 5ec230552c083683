#include <algorithm>

#include "cpu/machine.hpp"
#include "cpu/tile_distances.hpp"
#include "passes/grids.hpp"
#include "proxel/passes/tile_distance.h"

namespace proxel::cpu {

using passes::tile_rows;

void tile_distance(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::TileDistanceParameters>();
  // Sums of this many queries by a tile of rows stay in the second-level cache.
  constexpr std::uint32_t most_queries = 128;
  // Rows that one item takes. Its keys are gathered and then copied, a page of
  // each query at a time: queries lie far apart, and every other page costs a
  // miss of the address translation cache.
  constexpr std::uint64_t most_rows = 8 * tile_rows;
  const std::uint64_t query_blocks = passes::divide_up(parameters.query_count, most_queries);
  const std::uint64_t row_blocks = passes::divide_up(parameters.row_count, most_rows);

  machine.workers.for_each(query_blocks * row_blocks, [&](std::uint64_t item) {
    const std::uint64_t first_query = item % query_blocks * most_queries;
    const std::uint64_t query_count = std::min<std::uint64_t>(most_queries, parameters.query_count - first_query);
    TileDistances distances(machine.kernels, pass.constants_as<passes::TileDistanceConstants>().metric, parameters.rows,
                            passes::at<const float>(parameters.queries) + first_query * parameters.query_stride,
                            parameters.query_stride, query_count, parameters.dimensions);
    const std::uint64_t first = item / query_blocks * most_rows;
    const std::uint64_t end = std::min<std::uint64_t>(first + most_rows, parameters.row_count);
    std::vector<std::uint32_t> keys(query_count * most_rows);
    for (std::uint64_t row = first; row < end; row += tile_rows) {
      const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(tile_rows, end - row));
      distances.compute(parameters.first_row + row, count);
      for (std::uint64_t q = 0; q < query_count; ++q)
        distances.write_keys(q, keys.data() + q * most_rows + (row - first));
    }
    for (std::uint64_t q = 0; q < query_count; ++q)
      std::copy_n(keys.data() + q * most_rows, end - first,
                  passes::at<std::uint32_t>(parameters.keys) + (first_query + q) * parameters.keys_stride + first);
  });
}

}  // namespace proxel::cpu
