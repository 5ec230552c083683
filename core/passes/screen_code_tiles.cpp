#include "proxel/passes/screen_code_tiles.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"
#include "passes/selected.hpp"

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

class CodeScores {
 public:
  CodeScores(const ScreenCodeTilesParameters& parameters, Metric metric) : parameters_(parameters), metric_(metric) {}

  std::uint64_t tile(std::uint64_t i) const {
    return parameters_.first_tile + std::uint64_t{parameters_.tile_step} * i;
  }
  float error(std::uint64_t query, std::uint64_t tile) const {
    return score_error(at<const QueryBounds>(parameters_.query_bounds)[query],
                       at<const TileBounds>(parameters_.row_bounds)[tile]);
  }
  /// Minus infinity for rows that are not screened or do not exist.
  float score(std::uint64_t query, std::uint64_t row) const {
    const float factor = at<const QueryBounds>(parameters_.query_bounds)[query].factor;
    return factor * static_cast<float>(sum(query, row)) + at<const float>(parameters_.biases)[row];
  }

 private:
  std::int32_t sum(std::uint64_t query, std::uint64_t row) const {
    const auto* of_query = at<const std::uint32_t>(parameters_.queries) + query * parameters_.words;
    const auto* of_row =
        at<const std::uint32_t>(parameters_.rows) + row / tile_rows * parameters_.words * tile_rows + row % tile_rows;
    std::int32_t sum = 0;
    for (std::uint32_t word = 0; word < parameters_.words; ++word)
      for (std::uint32_t i = 0; i < 32; i += 8) {
        const std::uint32_t q = of_query[word] >> i & 0xFFu, r = of_row[std::uint64_t{word} * tile_rows] >> i & 0xFFu;
        const std::int32_t difference = std::abs(static_cast<std::int32_t>(q) - static_cast<std::int32_t>(r));
        if (is_product(metric_))
          sum += static_cast<std::int8_t>(q) * static_cast<std::int8_t>(r);
        else
          sum = metric_ == Metric::l1 ? sum + difference : std::max(sum, difference);
      }
    return sum;
  }

  const ScreenCodeTilesParameters& parameters_;
  const Metric metric_;
};

void sample_codes(const ScreenCodeTilesParameters& parameters, Metric metric, std::uint64_t queries) {
  const std::uint32_t groups_per_tile = parameters.groups_per_tile;
  const CodeScores scores(parameters, metric);
  const std::uint32_t group_rows = tile_rows / groups_per_tile;
  for (std::uint64_t query = 0; query < queries; ++query)
    for (std::uint64_t i = 0; i < parameters.tile_count; ++i) {
      const std::uint64_t tile = scores.tile(i);
      for (std::uint32_t group = 0; group < groups_per_tile; ++group) {
        float best = -std::numeric_limits<float>::infinity();
        for (std::uint32_t row = group * group_rows; row < (group + 1) * group_rows; ++row)
          best = std::max(best, scores.score(query, tile * tile_rows + row));
        at<float>(parameters.found)[query * parameters.groups + i * groups_per_tile + group] =
            best - scores.error(query, tile);
      }
    }
}

void collect_codes(const ScreenCodeTilesParameters& parameters, Metric metric, std::uint64_t queries) {
  const CodeScores scores(parameters, metric);
  for (std::uint64_t query = 0; query < queries; ++query) {
    const float threshold = at<const float>(parameters.thresholds)[query];
    std::uint32_t& count = at<std::uint32_t>(parameters.counts)[query];
    for (std::uint64_t i = 0; i < parameters.tile_count; ++i) {
      const std::uint64_t tile = scores.tile(i);
      // Rows that are not screened score minus infinity and are never collected.
      const float least = std::max(threshold - scores.error(query, tile), std::numeric_limits<float>::lowest());
      for (std::uint64_t row = tile * tile_rows; row < (tile + 1) * tile_rows; ++row) {
        const float score = scores.score(query, row);
        if (!(score >= least)) continue;
        const std::uint32_t slot = count++;
        if (slot >= parameters.capacity) continue;
        auto* entry = at<std::uint32_t>(parameters.found) + 2 * (query * parameters.capacity + slot);
        entry[0] = std::bit_cast<std::uint32_t>(score);
        entry[1] = static_cast<std::uint32_t>(parameters.first_index + row);
      }
    }
  }
}

}  // namespace

PROXEL_PASS(screen_code_tiles)(const Pass& pass) {
  const auto parameters = pass.as<ScreenCodeTilesParameters>();
  const std::uint32_t queries = selected_count(parameters.selected, parameters.first_selected, parameters.query_count);
  const auto constants = pass.constants_as<ScreenCodeTilesConstants>();
  if (constants.collects == static_cast<std::uint32_t>(ScreenPurpose::sample))
    sample_codes(parameters, constants.metric, queries);
  else
    collect_codes(parameters, constants.metric, queries);
}

}  // namespace proxel
