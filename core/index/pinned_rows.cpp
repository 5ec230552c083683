#include "index/pinned_rows.hpp"

#include <algorithm>

#include "proxel/error.hpp"

namespace proxel::index {

PinnedRows::PinnedRows(Device& device, const MatrixView<float>& rows, std::uint64_t piece_bytes)
    : device_(device), begin_(reinterpret_cast<const std::byte*>(rows.data)), piece_bytes_(piece_bytes) {
  if (const Support support = device.supports_pinning(); !support)
    throw Error(ErrorCode::unsupported, "pinned", support.reason);
  if (rows.column_stride != 1 || (rows.row_stride != rows.columns && rows.rows > 1))
    throw Error(ErrorCode::unsupported, "pinned", "rows that do not lie behind one another cannot be locked");
  const std::uint64_t bytes = rows.rows * rows.columns * sizeof(float);
  for (std::uint64_t first = 0; first < bytes; first += piece_bytes)
    pieces_.push_back(device.pin(begin_ + first, std::min(piece_bytes, bytes - first)));
}

void PinnedRows::send(std::uint64_t first_byte, const BufferView& to) {
  for (std::uint64_t sent = 0; sent < to.bytes;) {
    const std::uint64_t at = first_byte + sent;
    const std::uint64_t piece = at / piece_bytes_;
    const std::uint64_t bytes = std::min(to.bytes - sent, (piece + 1) * piece_bytes_ - at);
    Buffer& from = *pieces_[piece];
    // Where a piece does not begin with a page, the buffer begins before it.
    const auto offset = static_cast<std::uint64_t>(begin_ + at - static_cast<const std::byte*>(from.mapped()));
    device_.wait_copies(1);
    device_.start_copy(BufferView(from, offset, bytes), to.part(sent, bytes));
    sent += bytes;
  }
}

}  // namespace proxel::index
