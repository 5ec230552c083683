#pragma once

// Where a pass's operands lie when addresses are host pointers.

#include <algorithm>
#include <cstdint>

#include "proxel/device.hpp"
#include "proxel/passes/types.h"

namespace proxel::passes {

/// A buffer address as a pointer to its elements.
template <typename T>
T* at(std::uint64_t address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

/// The address of one value of a database, by the formula of types.h.
inline float* value_address(const Rows& rows, std::uint64_t row, std::uint32_t dimension) {
  const std::uint64_t in_tile = std::uint64_t{dimension} * rows.dimension_stride + row % tile_rows * rows.row_stride;
  return at<float>(rows.address) + row / tile_rows * rows.tile_stride + in_tile;
}

/// The rows from one on, a multiple of tile_rows; the count stays what it was.
inline Rows from_row(Rows rows, std::uint64_t first) {
  rows.address += first / tile_rows * rows.tile_stride * sizeof(float);
  return rows;
}

/// Whether four neighbouring rows of a tile can be read at once, 16-byte aligned.
inline bool four_rows_at_a_time(const Rows& rows) {
  return rows.row_stride == 1 && rows.tile_stride % 4 == 0 && rows.dimension_stride % 4 == 0 && rows.address % 16 == 0;
}

/// The four channels of a texel of a linear texture.
template <typename T>
T* texel_address(const Texture& texture, std::uint32_t x, std::uint32_t y, std::uint64_t layer) {
  const std::uint64_t texel = (layer * texture.height() + y) * texture.width() + x;
  return at<T>(texture.address()) + texel * 4;
}

/// The key that a query continues after; address 0 stands for no key at all.
/// Keys at or below the result are passed over when `bounded` is set.
struct After {
  std::uint64_t key = 0;
  bool bounded = false;

  After(std::uint64_t address, std::uint64_t query, std::uint32_t stride) {
    if (address == 0) return;
    key = at<const std::uint64_t>(address)[query * stride];
    bounded = true;
  }
  bool admits(std::uint64_t candidate) const { return !bounded || candidate > key; }
};

}  // namespace proxel::passes
