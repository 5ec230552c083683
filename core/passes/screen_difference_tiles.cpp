#include "proxel/passes/screen_difference_tiles.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"
#include "passes/screen_scores.hpp"
#include "proxel/error.hpp"

namespace proxel {

Pass passes::make_screen_difference_tiles(const ScreenTilesParameters& parameters, Metric metric, ScreenPurpose purpose,
                                          std::uint32_t groups_per_tile) {
  if (metric != Metric::l1 && metric != Metric::linf)
    throw Error(ErrorCode::invalid_argument, "metric",
                fmt::format("{} was given; differences of codes are of l1 and linf", to_string(metric)));
  if (parameters.depth_steps > screen_most_difference_words)
    throw Error(ErrorCode::invalid_argument, "depth_steps",
                fmt::format("{} words were given, at most {} are served", parameters.depth_steps,
                            screen_most_difference_words));
  constexpr std::uint32_t workgroup = 256;
  // A sample brings the sums of the columns together.
  const std::uint32_t shared_bytes = purpose == ScreenPurpose::sample ? 18 * 1024 : 12 * 1024;
  return make_pass(screen_difference_tiles, parameters,
                   {.collects = static_cast<std::uint32_t>(purpose),
                    .groups_per_tile = groups_per_tile,
                    .filtered = parameters.filter_bits != 0,
                    .metric = metric},
                   {parameters.splits, static_cast<std::uint32_t>(divide_up(parameters.query_count, tile_rows)), 1},
                   workgroup, shared_bytes);
}

namespace {

using namespace passes;

// The score of a query and a row of codes.
class Differences {
 public:
  explicit Differences(const Pass& pass)
      : parameters_(pass.as<ScreenTilesParameters>()),
        metric_(pass.constants_as<ScreenDifferenceTilesConstants>().metric) {}

  float operator()(std::uint64_t query, std::uint64_t row) const {
    const std::uint32_t words = parameters_.depth_steps;
    const auto* of_query = at<const std::uint32_t>(parameters_.queries) + query * words;
    const auto* of_tile = at<const std::uint32_t>(parameters_.rows) + row / tile_rows * words * tile_rows;
    std::int32_t sum = 0;
    for (std::uint32_t word = 0; word < words; ++word)
      for (std::uint32_t i = 0; i < 32; i += 8) {
        const std::uint32_t q = of_query[word] >> i & 0xFFu,
                            r = of_tile[word * tile_rows + row % tile_rows] >> i & 0xFFu;
        const std::int32_t difference = std::abs(static_cast<std::int32_t>(q) - static_cast<std::int32_t>(r));
        sum = metric_ == Metric::l1 ? sum + difference : std::max(sum, difference);
      }
    return at<const QueryBounds>(parameters_.query_bounds)[query].c * static_cast<float>(sum) +
           at<const float>(parameters_.biases)[row];
  }

 private:
  const ScreenTilesParameters parameters_;
  const Metric metric_;
};

}  // namespace

PROXEL_PASS(screen_difference_tiles)(const Pass& pass) {
  passes::ScoredTiles<Differences, passes::ScreenDifferenceTilesConstants>(pass).run();
}

}  // namespace proxel
