#pragma once

// Launch sizes that several makers share.

#include <algorithm>
#include <cstdint>

#include "proxel/pass.hpp"
#include "proxel/passes/texel_accumulate.h"

namespace proxel::passes {

/// Invocations of a workgroup: as many as every Vulkan device allows.
inline constexpr std::uint32_t common_workgroup = 128;

constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t by) {
  return value / by + (value % by != 0);
}

/// Workgroups of a pass that strides: one per item as long as that is sensible.
constexpr std::uint32_t strided_groups(std::uint64_t groups_wanted) {
  constexpr std::uint64_t plenty = 4096;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(groups_wanted, 1, plenty));
}

/// Covers width x height texels with rectangles 32 texels wide, a layer per query.
constexpr Grid texel_grid(std::uint32_t width, std::uint32_t height, std::uint32_t query_count) {
  constexpr std::uint32_t group_height = common_workgroup / texel_group_width;
  return {static_cast<std::uint32_t>(divide_up(width, texel_group_width)),
          static_cast<std::uint32_t>(divide_up(height, group_height)), query_count};
}

}  // namespace proxel::passes
