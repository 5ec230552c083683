#pragma once

// The canonical distance to a row that screening left, as screen_refine and screen_survivors evaluate it.

#include <cstdint>

#include "passes/canonical.hpp"
#include "passes/memory.hpp"
#include "passes/screen_operand.hpp"

namespace proxel::passes {

/// @param constants  of either pass: the metric, and what rows are
/// @param query      binary32 [dimensions]
template <typename Constants>
float screened_distance(const Constants& constants, const float* query, const Rows& rows, std::uint64_t row,
                        std::uint32_t dimensions) {
  if (constants.element == element_float32) return canonical_distance(constants.metric, query, rows, row, dimensions);
  const auto* operand = at<const std::int8_t>(rows.address);
  const int origin = constants.element == element_uint8 ? 128 : 0;
  const auto in_tile = static_cast<std::uint32_t>(row % tile_rows);
  float sum = 0;
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    const int x = operand[operand_integer(row / tile_rows, in_tile, i, integer_blocks(dimensions))];
    sum = canonical_step(constants.metric, sum, query[i], static_cast<float>(x + origin));
  }
  return sum;
}

}  // namespace proxel::passes
