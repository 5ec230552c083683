#pragma once

// What screen_tiles, screen_integer_tiles and screen_difference_tiles do with scores, whatever these are computed from.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/screen_bounds.hpp"
#include "passes/selected.hpp"
#include "proxel/pass.hpp"
#include "proxel/passes/screen_tiles.h"

namespace proxel::passes {

/// Samples or collects, as the header of screen_tiles says.
/// @tparam Products   made of the pass: float operator()(query, row), with the bias; minus infinity of no row
/// @tparam Constants  those of the pass, with collects and groups_per_tile
template <typename Products, typename Constants = ScreenTilesConstants>
class ScoredTiles {
 public:
  explicit ScoredTiles(const Pass& pass)
      : parameters_(pass.as<ScreenTilesParameters>()),
        constants_(pass.constants_as<Constants>()),
        products_(pass),
        queries_(selected_count(parameters_.selected, parameters_.first_selected, parameters_.query_count)),
        filter_stride_(static_cast<std::uint32_t>(divide_up(parameters_.row_count, 32u))) {}

  void run() const {
    for (std::uint64_t query = 0; query < queries_; ++query)
      if (constants_.collects == static_cast<std::uint32_t>(ScreenPurpose::sample))
        sample(query);
      else
        collect(query);
  }

 private:
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
    return products_(query, row);
  }

  void sample(std::uint64_t query) const {
    const std::uint32_t groups = constants_.groups_per_tile, group_rows = tile_rows / groups;
    for (std::uint64_t i = 0; i < parameters_.tile_count; ++i)
      for (std::uint32_t group = 0; group < groups; ++group) {
        float best = -std::numeric_limits<float>::infinity();
        for (std::uint32_t row = group * group_rows; row < (group + 1) * group_rows; ++row)
          best = std::max(best, score(query, tile(i) * tile_rows + row));
        at<float>(parameters_.found)[query * parameters_.groups + i * groups + group] = best - error(query, tile(i));
      }
  }

  void collect(std::uint64_t query) const {
    const float threshold = at<const float>(parameters_.thresholds)[query];
    for (std::uint64_t i = 0; i < parameters_.tile_count; ++i) {
      const std::uint64_t list = query * parameters_.splits + i / 2 % parameters_.splits;
      // Rows that are not screened score minus infinity and are never collected.
      const float least = std::max(threshold - error(query, tile(i)), std::numeric_limits<float>::lowest());
      for (std::uint64_t row = tile(i) * tile_rows; row < (tile(i) + 1) * tile_rows; ++row) {
        const float scored = score(query, row);
        if (!(scored >= least)) continue;
        const std::uint32_t slot = at<std::uint32_t>(parameters_.counts)[list]++;
        if (slot >= parameters_.capacity) continue;
        auto* entry = at<std::uint32_t>(parameters_.found) + 2 * (list * parameters_.capacity + slot);
        entry[0] = std::bit_cast<std::uint32_t>(scored);
        entry[1] = static_cast<std::uint32_t>(parameters_.first_index + row);
      }
    }
  }

  const ScreenTilesParameters parameters_;
  const Constants constants_;
  const Products products_;
  const std::uint32_t queries_;
  const std::uint32_t filter_stride_;
};

}  // namespace proxel::passes
