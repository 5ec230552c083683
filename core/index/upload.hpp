#pragma once

#include <cstring>

#include "index/storage.hpp"
#include "proxel/index.hpp"

namespace proxel::index {

/// Copies a host matrix, however it lies, to contiguous row-major memory.
template <typename T>
void copy_rows(const MatrixView<T>& view, T* to) {
  if (view.column_stride == 1 && view.row_stride == view.columns) {
    std::memcpy(to, view.data, view.rows * view.columns * sizeof(T));
    return;
  }
  for (std::uint64_t row = 0; row < view.rows; ++row)
    for (std::uint64_t column = 0; column < view.columns; ++column)
      *to++ = view(row, column);
}

/// Brings rows to their place, one piece copied by the host while the device
/// packs another. Returns when all are there.
/// @param first_row  row of the target that row 0 becomes, a multiple of 128
void upload_rows(Device& device, const MatrixView<float>& database, const RowTarget& target,
                 const Progress& progress, std::uint64_t first_row = 0);

}  // namespace proxel::index
