#pragma once

// Launch sizes that several makers share.

#include <algorithm>
#include <cstdint>

#include "proxel/pass.hpp"
#include "proxel/passes/texel_accumulate.h"

namespace proxel::passes {

/// Invocations of a workgroup: as many as every Vulkan device allows.
inline constexpr std::uint32_t common_workgroup = 128;

constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t by) { return value / by + (value % by != 0); }

/// Workgroups of a pass that strides: one per item as long as that is sensible.
constexpr std::uint32_t strided_groups(std::uint64_t groups_wanted) {
  constexpr std::uint64_t plenty = 4096;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(groups_wanted, 1, plenty));
}

/// Rows of a selection that one grid holds.
inline constexpr std::uint64_t most_grid_rows = std::uint64_t{1} << 30;

/// A workgroup per row: (x, y) takes row y * grid.x + x; hardly more than there are rows.
constexpr Grid row_grid(std::uint32_t rows) {
  const std::uint64_t y = divide_up(std::max(rows, 1u), largest_grid_extent);
  return {static_cast<std::uint32_t>(divide_up(std::max(rows, 1u), y)), static_cast<std::uint32_t>(y), 1};
}

/// A workgroup per tile of a row's keys: (x, z) is tile z * grid.x + x, y the row.
constexpr Grid tile_grid(std::uint64_t tiles, std::uint32_t rows) {
  const auto x = static_cast<std::uint32_t>(std::min<std::uint64_t>(tiles, largest_grid_extent));
  return {x, rows, static_cast<std::uint32_t>(divide_up(tiles, x))};
}

/// Covers width x height texels with rectangles 32 texels wide, a layer per query.
constexpr Grid texel_grid(std::uint32_t width, std::uint32_t height, std::uint32_t query_count) {
  constexpr std::uint32_t group_height = common_workgroup / texel_group_width;
  return {static_cast<std::uint32_t>(divide_up(width, texel_group_width)),
          static_cast<std::uint32_t>(divide_up(height, group_height)), query_count};
}

}  // namespace proxel::passes
