#include "cpu/row_slices.hpp"

#include <algorithm>

#include "passes/memory.hpp"

namespace proxel::cpu {

using passes::tile_rows;

RowSlices::RowSlices(const passes::Rows& rows, bool reused)
    : rows_(rows),
      in_place_(rows.row_stride == 1 && (!reused || rows.dimension_stride == tile_rows)) {}

RowSlice RowSlices::get(std::uint64_t first_row, std::uint32_t count,
                        std::uint32_t first_dimension, std::uint32_t dimensions) {
  const float* from = passes::value_address(rows_, first_row, first_dimension);
  if (in_place_) return {from, rows_.dimension_stride};

  copy_.resize(std::size_t{tile_rows} * most_dimensions);
  const std::size_t row_stride = rows_.row_stride;
  const std::size_t dimension_stride = rows_.dimension_stride;
  // A few dimensions at a time: their part of every row stays in the first-level cache.
  constexpr std::uint32_t block = 16;
  for (std::uint32_t start = 0; start < dimensions; start += block) {
    const std::uint32_t end = std::min(start + block, dimensions);
    for (std::uint32_t i = start; i < end; ++i) {
      float* to = copy_.data() + std::size_t{i} * tile_rows;
      for (std::size_t row = 0; row < count; ++row)
        to[row] = from[row * row_stride + i * dimension_stride];
    }
  }
  return {copy_.data(), tile_rows};
}

}  // namespace proxel::cpu
