#pragma once

// What screen_tiles and screen_canonical collected for a query, as screen_refine and screen_survivors read it.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "passes/memory.hpp"
#include "passes/screen_bounds.hpp"

namespace proxel::passes {

struct CollectedRow {
  float score;
  float error;
  std::uint32_t index;
};

/// The rows that were collected for query `slot` of the lists, or nothing where a list overflowed.
template <typename Parameters>
std::optional<std::vector<CollectedRow>> collected_rows(const Parameters& parameters, std::uint64_t slot) {
  const QueryBounds bounds = query_bounds_at(parameters.query_bounds, slot);
  std::vector<CollectedRow> rows;
  for (std::uint64_t split = 0; split < parameters.splits; ++split) {
    const std::uint64_t list = slot * parameters.splits + split;
    const std::uint32_t count = at<const std::uint32_t>(parameters.counts)[list];
    if (count > parameters.capacity) return {};
    const auto* entries = at<const std::uint32_t>(parameters.found) + 2 * list * parameters.capacity;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint32_t index = entries[2 * i + 1];
      const float error = parameters.row_bounds == 0
                              ? 0.0f
                              : score_error(bounds, at<const TileBounds>(parameters.row_bounds)[index / tile_rows]);
      rows.push_back({std::bit_cast<float>(entries[2 * i]), error, index});
    }
  }
  return rows;
}

/// Those of them that may be among the k nearest, or nothing where they do not decide.
template <typename Parameters>
std::optional<std::vector<std::uint32_t>> surviving_rows(const Parameters& parameters, std::uint64_t slot) {
  const QueryBounds bounds = query_bounds_at(parameters.query_bounds, slot);
  const std::optional<std::vector<CollectedRow>> collected = collected_rows(parameters, slot);
  if (!collected || bounds.certifiable == 0) return {};
  const std::vector<CollectedRow>& rows = *collected;
  const bool few = rows.size() < parameters.k;
  if (few && bounds.certifiable != screen_bounded) return {};
  std::vector<float> lower_bounds;
  lower_bounds.reserve(rows.size());
  for (const CollectedRow& row : rows) lower_bounds.push_back(row.score - row.error);
  float threshold = -std::numeric_limits<float>::infinity();
  if (!few) {
    std::nth_element(lower_bounds.begin(), lower_bounds.begin() + (parameters.k - 1), lower_bounds.end(),
                     std::greater<>());
    threshold = screening_threshold(bounds, lower_bounds[parameters.k - 1]);
    if (!bears_out(bounds, threshold)) return {};
  }
  std::vector<std::uint32_t> survivors;
  for (const CollectedRow& row : rows)
    if (row.score != -std::numeric_limits<float>::infinity() && !(row.score + row.error < threshold))
      survivors.push_back(row.index);
  return survivors;
}

}  // namespace proxel::passes
