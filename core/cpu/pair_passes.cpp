// Passes that write a value for every pair of a query and a row.

#include <algorithm>

#include "cpu/machine.hpp"
#include "cpu/tile_distances.hpp"
#include "passes/grids.hpp"
#include "passes/order.hpp"
#include "proxel/passes/matrix_product.h"
#include "proxel/passes/pair_distance.h"

namespace proxel::cpu {

using passes::tile_rows;

namespace {

// Accumulates every pair and calls write(query, row, value), for neighbouring
// rows of a query one after the other where rows_first is set and for
// neighbouring queries of a row where not.
template <typename Parameters, typename Write>
void for_each_pair(Machine& machine, Metric metric, const Parameters& parameters, bool rows_first, const Write& write) {
  // Sums of this many queries by a tile of rows stay in the second-level cache.
  constexpr std::uint64_t most_queries = 128;
  const std::uint64_t query_blocks = passes::divide_up(parameters.query_count, most_queries);
  const std::uint64_t tiles =
      passes::divide_up(parameters.first_row % tile_rows + std::uint64_t{parameters.row_count}, tile_rows);

  machine.workers.for_each(query_blocks * tiles, [&](std::uint64_t item) {
    const std::uint64_t first_query = item % query_blocks * most_queries;
    const std::uint64_t query_count = std::min<std::uint64_t>(most_queries, parameters.query_count - first_query);
    const std::uint64_t tile = parameters.first_row / tile_rows + item / query_blocks;
    const std::uint64_t first = std::max<std::uint64_t>(tile * tile_rows, parameters.first_row);
    const std::uint64_t end =
        std::min((tile + 1) * tile_rows, std::uint64_t{parameters.first_row} + parameters.row_count);
    const auto row_count = static_cast<std::uint32_t>(end - first);
    TileDistances values(machine.kernels, metric, parameters.rows,
                         passes::at<const float>(parameters.queries) + first_query * parameters.query_stride,
                         parameters.query_stride, query_count, parameters.dimensions);
    values.compute(first, row_count);
    const auto write_one = [&](std::uint64_t query, std::uint64_t row) {
      write(first_query + query, first - parameters.first_row + row, values.sums(query)[row]);
    };
    if (rows_first) {
      for (std::uint64_t query = 0; query < query_count; ++query)
        for (std::uint64_t row = 0; row < row_count; ++row) write_one(query, row);
    } else {
      for (std::uint64_t row = 0; row < row_count; ++row)
        for (std::uint64_t query = 0; query < query_count; ++query) write_one(query, row);
    }
  });
}

}  // namespace

void matrix_product(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::MatrixProductParameters>();
  auto* matrix = passes::at<float>(parameters.matrix);
  // The inner product is a metric whose steps are a product's.
  for_each_pair(machine, Metric::ip, parameters, parameters.row_pitch == 1,
                [&](std::uint64_t query, std::uint64_t row, float sum) {
    matrix[query * parameters.query_pitch + row * parameters.row_pitch] = parameters.alpha * sum;
  });
}

void pair_distance(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::PairDistanceParameters>();
  const auto metric = pass.constants_as<passes::PairDistanceConstants>().metric;
  auto* keys = passes::at<std::uint32_t>(parameters.keys);
  for_each_pair(machine, metric, parameters, false, [&](std::uint64_t query, std::uint64_t row, float distance) {
    keys[row * parameters.row_pitch + query] = passes::distance_key(distance, largest_first(metric));
  });
}

}  // namespace proxel::cpu
