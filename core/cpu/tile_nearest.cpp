#include <algorithm>
#include <atomic>

#include "cpu/machine.hpp"
#include "cpu/smallest_keys.hpp"
#include "cpu/tile_distances.hpp"
#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/tiles.hpp"
#include "proxel/passes/tile_nearest.h"

namespace proxel::cpu {
namespace {

// Lowers a key that several threads may lower.
void lower(std::uint64_t& kept, std::uint64_t key) {
  const std::atomic_ref<std::uint64_t> shared(kept);
  std::uint64_t seen = shared.load(std::memory_order_relaxed);
  while (key < seen && !shared.compare_exchange_weak(seen, key, std::memory_order_relaxed)) {
  }
}

// The position of the smallest of the distance keys among the rows that the
// filter allows; `count` where there is none. The first of equals is meant.
std::uint64_t position_of_smallest(const std::uint32_t* keys, std::uint64_t count, const passes::Filter& filter,
                                   std::uint64_t first_index) {
  if (!filter.given()) return static_cast<std::uint64_t>(std::min_element(keys, keys + count) - keys);
  std::uint64_t smallest = count;
  filter.for_each_allowed(first_index, count, [&](std::uint64_t i) {
    if (smallest == count || keys[i] < keys[smallest]) smallest = i;
  });
  return smallest;
}

}  // namespace

void tile_nearest(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::TileNearestParameters>();
  const auto constants = pass.constants_as<passes::TileNearestConstants>();
  const std::uint64_t side = passes::tile_side(constants.width);
  auto* lists = passes::at<std::uint64_t>(parameters.lists);
  std::fill_n(lists, std::uint64_t{parameters.query_count} * parameters.groups, passes::no_row_key);

  // An item is a block of queries by a range of row tiles, which belong to the
  // groups in turn; the minimum does not mind who finds it.
  constexpr std::uint32_t most_queries = 128;
  constexpr std::uint64_t tiles_per_item = 32;
  const std::uint64_t row_tiles = passes::divide_up(parameters.rows.count, side);
  const std::uint64_t query_blocks = passes::divide_up(parameters.query_count, most_queries);
  const std::uint64_t row_blocks = passes::divide_up(row_tiles, tiles_per_item);

  machine.workers.for_each(query_blocks * row_blocks, [&](std::uint64_t item) {
    const std::uint64_t first_query = item % query_blocks * most_queries;
    const std::uint64_t query_count = std::min<std::uint64_t>(most_queries, parameters.query_count - first_query);
    TileDistances distances(machine.kernels, constants.metric, parameters.rows,
                            passes::at<const float>(parameters.queries) + first_query * parameters.query_stride,
                            parameters.query_stride, query_count, parameters.dimensions);
    const std::uint64_t first_tile = item / query_blocks * tiles_per_item;
    const std::uint64_t end_tile = std::min(first_tile + tiles_per_item, row_tiles);
    for (std::uint64_t tile = first_tile; tile < end_tile; ++tile) {
      const std::uint64_t row = tile * side;
      const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(side, parameters.rows.count - row));
      distances.compute(row, count);
      for (std::uint64_t q = 0; q < query_count; ++q) {
        std::uint64_t& kept = lists[(first_query + q) * parameters.groups + tile % parameters.groups];
        const std::uint64_t limit = std::atomic_ref<std::uint64_t>(kept).load(std::memory_order_relaxed);
        const std::uint32_t* keys = distances.keys(q);
        if (!machine.kernels.any_within(keys, count, 0, passes::distance_key_of(limit))) continue;
        const std::uint64_t index = parameters.first_index + row;
        const std::uint64_t smallest = position_of_smallest(
            keys, count, passes::Filter(parameters.filter_bits, first_query + q, parameters.filter_stride), index);
        if (smallest == count) continue;
        lower(kept, passes::make_key(keys[smallest], static_cast<std::uint32_t>(index + smallest)));
      }
    }
  });
}

}  // namespace proxel::cpu
