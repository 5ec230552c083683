#include <algorithm>

#include "passes/canonical.hpp"
#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "passes/tiles.hpp"
#include "proxel/passes/tile_nearest.h"

namespace proxel {

Pass passes::make_tile_nearest(const TileNearestParameters& parameters, Metric metric, std::uint32_t width) {
  // The last reduction holds a key per query of each thread.
  const std::uint32_t reduction_bytes = thread_tile * width * width * 8;
  return make_pass(
      tile_nearest, parameters,
      {.width = width, .metric = accumulated(metric), .filtered = parameters.filter_bits != 0},
      {parameters.groups, static_cast<std::uint32_t>(divide_up(parameters.query_count, tile_side(width))), 1},
      width * width, std::max(staged_bytes(width), reduction_bytes));
}

PROXEL_THREADED_PASS(tile_nearest)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TileNearestParameters>();
  const auto constants = pass.constants_as<TileNearestConstants>();
  const auto metric = constants.metric;
  const std::uint64_t side = tile_side(constants.width);
  for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
    const float* values = at<const float>(parameters.queries) + query * parameters.query_stride;
    const Filter filter(parameters.filter_bits, query, parameters.filter_stride);
    for (std::uint64_t group = 0; group < parameters.groups; ++group) {
      std::uint64_t nearest = no_row_key;
      for (std::uint64_t first = group * side; first < parameters.rows.count; first += parameters.groups * side) {
        const std::uint64_t end = std::min<std::uint64_t>(first + side, parameters.rows.count);
        for (std::uint64_t row = first; row < end; ++row) {
          if (!filter.allows(parameters.first_index + row)) continue;
          const float distance = canonical_distance(metric, values, parameters.rows, row, parameters.dimensions);
          nearest = std::min(nearest, make_key(distance_key(distance, largest_first(metric)),
                                               static_cast<std::uint32_t>(parameters.first_index + row)));
        }
      }
      at<std::uint64_t>(parameters.lists)[query * parameters.groups + group] = nearest;
    }
  }
}

}  // namespace proxel
