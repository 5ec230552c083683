#pragma once

#include <array>
#include <cstring>
#include <memory>

#include "index/host_rows.hpp"
#include "index/row_copy.hpp"
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
    for (std::uint64_t column = 0; column < view.columns; ++column) *to++ = view(row, column);
}

/// Rows that pass through the host at a time: whole tiles of about 32 MiB, or all that there are.
std::uint64_t rows_at_a_time(std::uint64_t rows, std::uint64_t row_bytes);

/// Brings rows to their place, one piece copied by the host while the device
/// packs another. Its memory is taken once, and serves any number of runs.
class RowUpload {
 public:
  /// @param most_rows  that are brought at a time, if there are so many
  /// Throws Error(out_of_memory).
  RowUpload(Device& device, std::uint64_t most_rows, std::uint64_t columns);

  /// Returns when all are there.
  /// @param first_row  row of the target that row 0 becomes, a multiple of 128
  void run(const HostRows& database, const RowTarget& target, const Progress& progress, std::uint64_t first_row = 0);

 private:
  struct Slot {
    std::unique_ptr<Buffer> staging;
    std::unique_ptr<Commands> commands;
  };

  Device& device_;
  std::array<Slot, 2> slots_;
  RowCopy copy_;
};

/// The same for rows that are brought once.
void upload_rows(Device& device, const HostRows& database, const RowTarget& target, const Progress& progress,
                 std::uint64_t first_row = 0);

}  // namespace proxel::index
