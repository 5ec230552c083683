#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "proxel/passes/types.h"

namespace proxel::cpu {

/// Values of neighbouring rows of one tile, dimension by dimension: value
/// (row, dimension) at values + row + dimension * dimension_stride.
struct RowSlice {
  const float* values = nullptr;
  std::size_t dimension_stride = 0;
};

/// Gives the rows of any layout in the one form that the kernels read. Rows
/// that lie side by side are read in place, others are copied.
class RowSlices {
 public:
  /// Dimensions that are handled at a time, so that 128 rows of them stay in
  /// the second-level cache while many queries pass over them.
  static constexpr std::uint32_t most_dimensions = 512;

  /// @param reused  whether several queries will read each slice; then rows
  ///                whose dimensions lie far apart are copied together first
  RowSlices(const passes::Rows& rows, bool reused);

  /// Rows first_row … first_row + count - 1, all of one tile, and dimensions
  /// first_dimension … + dimensions - 1. Valid until the next call.
  RowSlice get(std::uint64_t first_row, std::uint32_t count, std::uint32_t first_dimension, std::uint32_t dimensions);

 private:
  passes::Rows rows_;
  bool in_place_;
  std::vector<float> copy_;
};

}  // namespace proxel::cpu
