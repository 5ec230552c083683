#include <algorithm>
#include <bit>
#include <limits>

#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/half.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"
#include "passes/screen_operand.hpp"
#include "passes/selected.hpp"
#include "proxel/passes/screen_tiles_matrix.h"
#include "proxel/passes/screen_tiles_wide.h"

namespace proxel {

Pass passes::make_screen_tiles(const ScreenTilesParameters& parameters, ScreenArithmetic arithmetic,
                               ScreenPurpose purpose, std::uint32_t groups_per_tile, std::uint32_t workgroup_queries) {
  const bool matrix = arithmetic == ScreenArithmetic::matrix;
  const std::uint32_t query_tiles = static_cast<std::uint32_t>(divide_up(parameters.query_count, workgroup_queries));
  const ScreenTilesKind& on_matrix_units = workgroup_queries == tile_rows ? screen_tiles_matrix : screen_tiles_wide;
  return make_pass(matrix ? on_matrix_units : screen_tiles, parameters,
                   {.collects = static_cast<std::uint32_t>(purpose),
                    .groups_per_tile = groups_per_tile,
                    .filtered = parameters.filter_bits != 0},
                   {parameters.splits, query_tiles, 1}, common_workgroup, matrix ? 48 * 1024 : 16 * 1024);
}

namespace {

using namespace passes;

class Scores {
 public:
  explicit Scores(const ScreenTilesParameters& parameters) : parameters_(parameters) {}

  std::uint64_t tile(std::uint64_t i) const {
    return parameters_.first_tile + std::uint64_t{parameters_.tile_step} * i;
  }
  float error(std::uint64_t query, std::uint64_t tile) const {
    return score_error(at<const QueryBounds>(parameters_.query_bounds)[query],
                       at<const TileBounds>(parameters_.row_bounds)[tile]);
  }
  /// Minus infinity for rows that are not screened, do not exist or are left out.
  float score(std::uint64_t query, std::uint64_t row) const {
    const Filter filter(parameters_.filter_bits, query, filter_stride_);
    if (row < parameters_.row_count && !filter.allows(row)) return -std::numeric_limits<float>::infinity();
    const auto* rows = at<const std::uint16_t>(parameters_.rows);
    const auto* queries = at<const std::uint16_t>(parameters_.queries);
    double sum = at<const float>(parameters_.biases)[row];
    for (std::uint32_t i = 0; i < 16 * parameters_.depth_steps; ++i)
      sum += double{from_half(queries[half(query, i)])} * from_half(rows[half(row, i)]);
    return static_cast<float>(sum);
  }

 private:
  std::uint64_t half(std::uint64_t row, std::uint32_t depth) const {
    return operand_half(row / tile_rows, static_cast<std::uint32_t>(row % tile_rows), depth, parameters_.depth_blocks);
  }

  const ScreenTilesParameters& parameters_;
  std::uint32_t filter_stride_ = static_cast<std::uint32_t>(divide_up(parameters_.row_count, 32u));
};

void sample(const ScreenTilesParameters& parameters, std::uint64_t queries, std::uint32_t groups_per_tile) {
  const Scores scores(parameters);
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

void collect(const ScreenTilesParameters& parameters, std::uint64_t queries) {
  const Scores scores(parameters);
  for (std::uint64_t query = 0; query < queries; ++query) {
    const float threshold = at<const float>(parameters.thresholds)[query];
    for (std::uint64_t i = 0; i < parameters.tile_count; ++i) {
      const std::uint64_t list = query * parameters.splits + i / 2 % parameters.splits;
      const std::uint64_t tile = scores.tile(i);
      // Rows that are not screened score minus infinity and are never collected.
      const float least = std::max(threshold - scores.error(query, tile), std::numeric_limits<float>::lowest());
      for (std::uint64_t row = tile * tile_rows; row < (tile + 1) * tile_rows; ++row) {
        const float score = scores.score(query, row);
        if (!(score >= least)) continue;
        const std::uint32_t slot = at<std::uint32_t>(parameters.counts)[list]++;
        if (slot >= parameters.capacity) continue;
        auto* entry = at<std::uint32_t>(parameters.found) + 2 * (list * parameters.capacity + slot);
        entry[0] = std::bit_cast<std::uint32_t>(score);
        entry[1] = static_cast<std::uint32_t>(parameters.first_index + row);
      }
    }
  }
}

}  // namespace

// These need matrix units, which the host has not.
constinit const ScreenTilesKind passes::screen_tiles_matrix("screen_tiles_matrix");
constinit const ScreenTilesKind passes::screen_tiles_wide("screen_tiles_wide");

PROXEL_PASS(screen_tiles)(const Pass& pass) {
  const auto parameters = pass.as<ScreenTilesParameters>();
  const std::uint32_t queries = selected_count(parameters.selected, parameters.first_selected, parameters.query_count);
  const auto constants = pass.constants_as<ScreenTilesConstants>();
  if (constants.collects == static_cast<std::uint32_t>(ScreenPurpose::sample))
    sample(parameters, queries, constants.groups_per_tile);
  else
    collect(parameters, queries);
}

}  // namespace proxel
