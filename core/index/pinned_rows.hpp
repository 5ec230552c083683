#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/matrix.hpp"

namespace proxel::index {

/// Rows of the host, locked where they lie, which a device copies from there.
class PinnedRows {
 public:
  /// Far below what any device takes as one buffer, and large enough that there are few.
  static constexpr std::uint64_t usual_piece = std::uint64_t{512} << 20;

  /// @param rows         row-major without gaps; they outlive the result.
  /// @param piece_bytes  that are locked as one
  /// Throws Error(unsupported | out_of_memory).
  PinnedRows(Device& device, const MatrixView<float>& rows, std::uint64_t piece_bytes = usual_piece);

  /// Starts copies of bytes from there on, behind at most one that still runs. @param to  device memory, as many bytes as are wanted
  void send(std::uint64_t first_byte, const BufferView& to);

 private:
  Device& device_;
  const std::byte* begin_;
  std::uint64_t piece_bytes_;
  std::vector<std::unique_ptr<Buffer>> pieces_;  // of so many bytes each, but the last
};

}  // namespace proxel::index
