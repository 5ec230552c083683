#pragma once

// What passes find in memory: rows in their layouts, and keys.

#include <cstdint>
#include <string_view>
#include <vector>

#include "proxel/matrix.hpp"
#include "proxel/passes/types.h"

namespace proxel::conformance {

enum class Layout { tiles, row_major, column_major };
inline constexpr Layout all_layouts[] = {Layout::tiles, Layout::row_major, Layout::column_major};

/// "tiles", "rows" or "columns".
std::string_view to_string(Layout layout);

/// The values of a matrix [n x d] in a layout. Room that belongs to no value
/// holds NaN, so that a kernel that takes it for one is seen.
/// @param leading  row_major: at least d; column_major: at least n; tiles: unused
std::vector<float> arranged(const MatrixView<float>& matrix, Layout layout, std::uint32_t leading);

/// The Rows that describe arranged()'s result at an address.
passes::Rows describe_rows(std::uint64_t address, const MatrixView<float>& matrix, Layout layout,
                           std::uint32_t leading);

/// The values of a matrix, row by row.
inline std::vector<float> contiguous(const Matrix<float>& matrix) {
  return {matrix.data(), matrix.data() + matrix.rows() * matrix.columns()};
}

/// The number of tiles that hold these rows.
constexpr std::uint32_t tiles_of(std::uint32_t rows) {
  return rows / passes::tile_rows + (rows % passes::tile_rows != 0);
}

/// The distance key of a value, as passes/types.h describes it.
std::uint32_t distance_key(float value, bool largest_first);

/// A key in memory: distance key in the high word.
constexpr std::uint64_t make_key(std::uint32_t distance_key_word, std::uint32_t index) {
  return std::uint64_t{distance_key_word} << 32 | index;
}
inline constexpr std::uint64_t no_row_key = ~std::uint64_t{0};

}  // namespace proxel::conformance
