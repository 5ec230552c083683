#include "proxel/passes/matrix_product.h"

#include <algorithm>

#include "cpu/fast_passes.hpp"
#include "cpu/tile_distances.hpp"
#include "passes/grids.hpp"

namespace proxel::cpu {

using passes::tile_rows;

void matrix_product(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::MatrixProductParameters>();
  // Sums of this many queries by a tile of rows stay in the second-level cache.
  constexpr std::uint64_t most_queries = 128;
  const std::uint64_t query_blocks = passes::divide_up(parameters.query_count, most_queries);
  const std::uint64_t tiles = passes::divide_up(parameters.row_count, tile_rows);

  machine.workers.for_each(query_blocks * tiles, [&](std::uint64_t item) {
    const std::uint64_t first_query = item % query_blocks * most_queries;
    const std::uint64_t query_count =
        std::min<std::uint64_t>(most_queries, parameters.query_count - first_query);
    const std::uint64_t first = item / query_blocks * tile_rows;
    const auto row_count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(tile_rows, parameters.row_count - first));
    // The inner product is a metric whose steps are a product's.
    TileDistances products(
        machine.kernels, Metric::ip, parameters.rows,
        passes::at<const float>(parameters.queries) + first_query * parameters.query_stride,
        parameters.query_stride, query_count, parameters.dimensions);
    products.compute(parameters.first_row + first, row_count);
    float* matrix = passes::at<float>(parameters.matrix) + first_query * parameters.query_pitch +
                    first * parameters.row_pitch;
    const auto write = [&](std::uint64_t query, std::uint32_t row) {
      matrix[query * parameters.query_pitch + std::uint64_t{row} * parameters.row_pitch] =
          parameters.alpha * products.sums(query)[row];
    };
    if (parameters.row_pitch == 1) {
      for (std::uint64_t query = 0; query < query_count; ++query)
        for (std::uint32_t row = 0; row < row_count; ++row) write(query, row);
    } else {
      for (std::uint32_t row = 0; row < row_count; ++row)
        for (std::uint64_t query = 0; query < query_count; ++query) write(query, row);
    }
  });
}

}  // namespace proxel::cpu
