#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/tiles.hpp"
#include "proxel/passes/matrix_product.h"

namespace proxel {

Pass passes::make_matrix_product(const MatrixProductParameters& parameters, std::uint32_t width) {
  const std::uint32_t side = tile_side(width);
  return make_pass(matrix_product, parameters, {.width = width},
                   {static_cast<std::uint32_t>(divide_up(parameters.row_count, side)),
                    static_cast<std::uint32_t>(divide_up(parameters.query_count, side)), 1},
                   width * width, staged_bytes(width));
}

PROXEL_THREADED_PASS(matrix_product)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<MatrixProductParameters>();
  for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
    const float* values = at<const float>(parameters.queries) + query * parameters.query_stride;
    for (std::uint64_t row = 0; row < parameters.row_count; ++row) {
      float sum = 0;
      for (std::uint32_t i = 0; i < parameters.dimensions; ++i)
        sum += values[i] * *value_address(parameters.rows, parameters.first_row + row, i);
      at<float>(parameters.matrix)[query * parameters.query_pitch + row * parameters.row_pitch] =
          parameters.alpha * sum;
    }
  }
}

}  // namespace proxel
