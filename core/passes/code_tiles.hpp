#pragma once

// What screen_code_tiles does with the sums of a query and a tile of rows.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>

#include "passes/memory.hpp"
#include "passes/screen_bounds.hpp"
#include "passes/selected.hpp"
#include "proxel/pass.hpp"
#include "proxel/passes/screen_code_tiles.h"

namespace proxel::passes {

class CodeTiles {
 public:
  explicit CodeTiles(const Pass& pass)
      : parameters(pass.as<ScreenCodeTilesParameters>()),
        metric(pass.constants_as<ScreenCodeTilesConstants>().metric),
        queries(selected_count(parameters.selected, parameters.first_selected, parameters.query_count)),
        collects_(pass.constants_as<ScreenCodeTilesConstants>().collects != 0) {}

  const ScreenCodeTilesParameters parameters;
  const Metric metric;
  const std::uint32_t queries;

  /// The number of the tile that is compared as the i-th.
  std::uint64_t tile(std::uint64_t i) const { return parameters.first_tile + std::uint64_t{parameters.tile_step} * i; }

  /// Samples or collects. Threads may do so at the same time.
  /// @param sums  of codes, [tile_rows]
  void use(std::uint64_t i, std::uint64_t query, const std::int32_t* sums) const {
    const auto& bounds = at<const QueryBounds>(parameters.query_bounds)[query];
    const float error = score_error(bounds, at<const TileBounds>(parameters.row_bounds)[tile(i)]);
    // Minus infinity for rows that are not screened or do not exist.
    const float* biases = at<const float>(parameters.biases) + (query * parameters.bias_stride + tile(i)) * tile_rows;
    const auto score = [&](std::uint32_t row) { return bounds.c * static_cast<float>(sums[row]) + biases[row]; };
    if (collects_)
      collect(query, tile(i) * tile_rows, error, score);
    else
      sample(i, query, error, score);
  }

 private:
  template <typename Score>
  void sample(std::uint64_t i, std::uint64_t query, float error, const Score& score) const {
    const std::uint32_t group_rows = tile_rows / parameters.groups_per_tile;
    float* to = at<float>(parameters.found) + query * parameters.groups + i * parameters.groups_per_tile;
    for (std::uint32_t group = 0; group < parameters.groups_per_tile; ++group) {
      float best = -std::numeric_limits<float>::infinity();
      for (std::uint32_t row = group * group_rows; row < (group + 1) * group_rows; ++row)
        best = std::max(best, score(row));
      to[group] = best - error;
    }
  }

  template <typename Score>
  void collect(std::uint64_t query, std::uint64_t first_row, float error, const Score& score) const {
    const float threshold = at<const float>(parameters.thresholds)[query];
    // Rows that are not screened score minus infinity and are never collected.
    const float least = std::max(threshold - error, std::numeric_limits<float>::lowest());
    const std::atomic_ref<std::uint32_t> count(at<std::uint32_t>(parameters.counts)[query]);
    for (std::uint32_t row = 0; row < tile_rows; ++row) {
      const float value = score(row);
      if (!(value >= least)) continue;
      const std::uint32_t slot = count.fetch_add(1, std::memory_order_relaxed);
      if (slot >= parameters.capacity) continue;
      auto* entry = at<std::uint32_t>(parameters.found) + 2 * (query * parameters.capacity + slot);
      entry[0] = std::bit_cast<std::uint32_t>(value);
      entry[1] = static_cast<std::uint32_t>(parameters.first_index + first_row + row);
    }
  }

  const bool collects_;
};

}  // namespace proxel::passes
