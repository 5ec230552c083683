#include "proxel/passes/screen_code_tiles.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "passes/code_tiles.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"

namespace proxel {

Pass passes::make_screen_code_tiles(const ScreenCodeTilesParameters& parameters, Metric metric, ScreenPurpose purpose,
                                    std::uint32_t workgroups) {
  const std::uint32_t together = parameters.query_count == 1 ? 1 : 4;
  return make_pass(
      screen_code_tiles, parameters,
      {.collects = static_cast<std::uint32_t>(purpose), .metric = accumulated(metric), .together = together},
      {workgroups, static_cast<std::uint32_t>(divide_up(parameters.query_count, together)), 1}, common_workgroup,
      common_workgroup * 4);
}

namespace {

using namespace passes;

// The sums of codes of a query and the rows of a tile, [tile_rows].
void sum_codes(const ScreenCodeTilesParameters& parameters, Metric metric, std::uint64_t query, std::uint64_t tile,
               std::int32_t* sums) {
  const auto* of_query = at<const std::uint32_t>(parameters.queries) + query * parameters.words;
  const auto* of_tile = at<const std::uint32_t>(parameters.rows) + tile * parameters.words * tile_rows;
  for (std::uint32_t row = 0; row < tile_rows; ++row) {
    std::int32_t sum = 0;
    for (std::uint32_t word = 0; word < parameters.words; ++word)
      for (std::uint32_t i = 0; i < 32; i += 8) {
        const std::uint32_t q = of_query[word] >> i & 0xFFu, r = of_tile[word * tile_rows + row] >> i & 0xFFu;
        const std::int32_t difference = std::abs(static_cast<std::int32_t>(q) - static_cast<std::int32_t>(r));
        if (is_product(metric))
          sum += static_cast<std::int8_t>(q) * static_cast<std::int8_t>(r);
        else
          sum = metric == Metric::l1 ? sum + difference : std::max(sum, difference);
      }
    sums[row] = sum;
  }
}

}  // namespace

PROXEL_THREADED_PASS(screen_code_tiles)(const Pass& pass) {
  const CodeTiles tiles(pass);
  std::array<std::int32_t, tile_rows> sums;
  for (std::uint64_t i = 0; i < tiles.parameters.tile_count; ++i)
    for (std::uint32_t query = 0; query < tiles.queries; ++query) {
      sum_codes(tiles.parameters, tiles.metric, query, tiles.tile(i), sums.data());
      tiles.use(i, query, sums.data());
    }
}

}  // namespace proxel
