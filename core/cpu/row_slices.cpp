#include "cpu/row_slices.hpp"

#include <algorithm>
#include <cstring>

#include "passes/memory.hpp"

namespace proxel::cpu {

using passes::tile_rows;

namespace {

typedef float Four __attribute__((vector_size(16)));

Four load(const float* from) {
  Four four;
  std::memcpy(&four, from, sizeof four);
  return four;
}

// Four dimensions of four rows, turned around.
void transpose(const float* from, std::size_t row_stride, float* to) {
  const Four a = load(from), b = load(from + row_stride), c = load(from + 2 * row_stride),
             d = load(from + 3 * row_stride);
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Four ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Four cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Four turned[4] = {
      __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5), __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
      __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5), __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
  for (std::size_t i = 0; i < 4; ++i) std::memcpy(to + i * tile_rows, &turned[i], sizeof(Four));
}

// Copies rows of any layout to one row after the other within each dimension.
void copy_rows(const float* from, const passes::Rows& rows, std::size_t count, std::size_t dimensions, float* to) {
  const auto copy = [&](std::size_t first_row, std::size_t end_row, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i)
      for (std::size_t row = first_row; row < end_row; ++row)
        to[i * tile_rows + row] = from[row * rows.row_stride + i * rows.dimension_stride];
  };
  if (rows.dimension_stride != 1) return copy(0, count, 0, dimensions);
  const std::size_t whole_rows = count / 4 * 4;
  const std::size_t whole_dimensions = dimensions / 4 * 4;
  // A cache line of every row at a time.
  constexpr std::size_t line = 16;
  for (std::size_t start = 0; start < whole_dimensions; start += line) {
    const std::size_t end = std::min(start + line, whole_dimensions);
    for (std::size_t row = 0; row < whole_rows; row += 4)
      for (std::size_t i = start; i < end; i += 4)
        transpose(from + row * rows.row_stride + i, rows.row_stride, to + i * tile_rows + row);
  }
  copy(0, whole_rows, whole_dimensions, dimensions);
  copy(whole_rows, count, 0, dimensions);
}

}  // namespace

RowSlices::RowSlices(const passes::Rows& rows, bool reused)
    : rows_(rows), in_place_(rows.row_stride == 1 && (!reused || rows.dimension_stride == tile_rows)) {}

RowSlice RowSlices::get(std::uint64_t first_row, std::uint32_t count, std::uint32_t first_dimension,
                        std::uint32_t dimensions) {
  const float* from = passes::value_address(rows_, first_row, first_dimension);
  if (in_place_) return {from, rows_.dimension_stride};

  copy_.resize(std::size_t{tile_rows} * most_dimensions);
  copy_rows(from, rows_, count, dimensions, copy_.data());
  return {copy_.data(), tile_rows};
}

}  // namespace proxel::cpu
