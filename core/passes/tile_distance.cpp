#include "passes/canonical.hpp"
#include "passes/grids.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "passes/tiles.hpp"
#include "proxel/passes/tile_distance.h"

namespace proxel {

Pass passes::make_tile_distance(const TileDistanceParameters& parameters, Metric metric, std::uint32_t width) {
  const std::uint32_t side = tile_side(width);
  return make_pass(tile_distance, parameters, {.width = width, .metric = accumulated(metric)},
                   {static_cast<std::uint32_t>(divide_up(parameters.row_count, side)),
                    static_cast<std::uint32_t>(divide_up(parameters.query_count, side)), 1},
                   width * width, staged_bytes(width));
}

PROXEL_THREADED_PASS(tile_distance)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TileDistanceParameters>();
  const auto metric = pass.constants_as<TileDistanceConstants>().metric;
  for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
    const float* values = at<const float>(parameters.queries) + query * parameters.query_stride;
    auto* keys = at<std::uint32_t>(parameters.keys) + query * parameters.keys_stride;
    for (std::uint64_t i = 0; i < parameters.row_count; ++i)
      keys[i] = distance_key(
          canonical_distance(metric, values, parameters.rows, parameters.first_row + i, parameters.dimensions),
          largest_first(metric));
  }
}

}  // namespace proxel
