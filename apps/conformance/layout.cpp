#include "layout.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace proxel::conformance {

std::string_view to_string(Layout layout) {
  switch (layout) {
    case Layout::tiles:
      return "tiles";
    case Layout::row_major:
      return "rows";
    case Layout::column_major:
      return "columns";
  }
  return "unknown";
}

passes::Rows describe_rows(std::uint64_t address, const MatrixView<float>& matrix, Layout layout,
                           std::uint32_t leading) {
  constexpr std::uint32_t tile = passes::tile_rows;
  const auto rows = static_cast<std::uint32_t>(matrix.rows);
  const auto dimensions = static_cast<std::uint32_t>(matrix.columns);
  switch (layout) {
    case Layout::row_major:
      return {address, tile * leading, 1, leading, rows};
    case Layout::column_major:
      return {address, tile, leading, 1, rows};
    case Layout::tiles:
      break;
  }
  return {address, tile * dimensions, tile, 1, rows};
}

std::vector<float> arranged(const MatrixView<float>& matrix, Layout layout, std::uint32_t leading) {
  constexpr std::uint64_t tile = passes::tile_rows;
  std::uint64_t size = (matrix.rows + tile - 1) / tile * tile * matrix.columns;
  if (layout == Layout::row_major) size = matrix.rows * leading;
  if (layout == Layout::column_major) size = matrix.columns * leading;
  std::vector<float> values(size, std::numeric_limits<float>::quiet_NaN());
  const passes::Rows rows = describe_rows(0, matrix, layout, leading);
  for (std::uint64_t row = 0; row < matrix.rows; ++row)
    for (std::uint64_t i = 0; i < matrix.columns; ++i)
      values[row / tile * rows.tile_stride + i * rows.dimension_stride + row % tile * rows.row_stride] = matrix(row, i);
  return values;
}

std::uint32_t distance_key(float value, bool largest_first) {
  if (std::isnan(value)) return 0xFFFFFFFFu;
  const auto bits = std::bit_cast<std::uint32_t>(value == 0.0f ? 0.0f : value);
  const std::uint32_t ascending = (bits >> 31) != 0 ? ~bits : bits ^ 0x80000000u;
  return largest_first ? ~ascending : ascending;
}

}  // namespace proxel::conformance
