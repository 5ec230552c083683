#pragma once

#include <algorithm>
#include <cstdint>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_pack.h"

namespace proxel::passes {

/// What passes that pack queries have in shared memory to bring together what the invocations of a query find (query_team.glsl).
inline constexpr std::uint32_t query_team_bytes = common_workgroup * (16 + 4);

/// What a pass that packs queries makes 0.
template <typename Parameters>
void zero_words(const Parameters& parameters) {
  std::fill_n(at<std::uint32_t>(parameters.zeroed), parameters.zeroed_words, 0);
}

/// Where half `depth` of row `row` (of 128) of a tile lies in a packed operand,
/// in halves (screen_pack.h).
constexpr std::uint64_t operand_half(std::uint64_t tile, std::uint32_t row, std::uint32_t depth,
                                     std::uint32_t depth_blocks) {
  const std::uint64_t block = tile * depth_blocks + depth / screen_block_depth;
  const std::uint32_t chunk = depth % screen_block_depth / 8;
  return (block * screen_block_bytes + 128 * row + 16 * (chunk ^ (row % 8))) / 2 + depth % 8;
}

/// Where value `depth` of such a row lies in an operand of integers, in bytes (screen_integers.h).
constexpr std::uint64_t operand_integer(std::uint64_t tile, std::uint32_t row, std::uint32_t depth,
                                        std::uint32_t depth_blocks) {
  const std::uint64_t block = tile * depth_blocks + depth / screen_block_integers;
  const std::uint32_t chunk = depth % screen_block_integers / 16;
  return block * screen_block_bytes + 128 * row + 16 * (chunk ^ (row % 8)) + depth % 16;
}

}  // namespace proxel::passes
