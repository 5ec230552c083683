#pragma once

// How the boxes of a bounding volume hierarchy lie in memory (bvh_search.h).

#include <cstdint>

#include "proxel/passes/bvh_search.h"

namespace proxel::passes {

/// Boxes of a level; 0 past the last one.
constexpr std::uint64_t bvh_boxes(std::uint64_t rows, std::uint32_t level) {
  std::uint64_t boxes = (rows - 1) / bvh_width + 1;
  for (; level != 0; --level) boxes = boxes <= bvh_width ? 0 : (boxes - 1) / bvh_width + 1;
  return boxes;
}

/// Groups of 32 boxes of a level.
constexpr std::uint64_t bvh_groups(std::uint64_t rows, std::uint32_t level) {
  return (bvh_boxes(rows, level) + bvh_width - 1) / bvh_width;
}

constexpr std::uint32_t bvh_levels(std::uint64_t rows) {
  std::uint32_t levels = 1;
  while (bvh_boxes(rows, levels) != 0) ++levels;
  return levels;
}

/// Groups of all levels below this one.
constexpr std::uint64_t bvh_first_group(std::uint64_t rows, std::uint32_t level) {
  std::uint64_t groups = 0;
  for (std::uint32_t below = 0; below < level; ++below) groups += bvh_groups(rows, below);
  return groups;
}

constexpr std::uint64_t bvh_group_bytes(std::uint32_t dimensions) {
  return std::uint64_t{2} * dimensions * bvh_width * sizeof(float);
}

/// A bound of a box: line 2 i holds the lower ones of dimension i, 2 i + 1 the upper.
inline float* bvh_bound(float* level, std::uint64_t box, std::uint32_t dimensions, std::uint32_t line) {
  return level + (box / bvh_width * 2 * dimensions + line) * bvh_width + box % bvh_width;
}

static_assert(bvh_levels(0xFFFFFFFEu) == bvh_most_levels);

}  // namespace proxel::passes
