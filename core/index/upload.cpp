#include "index/upload.hpp"

#include <algorithm>
#include <cstring>

namespace proxel::index {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{32} << 20;

}  // namespace

std::uint64_t rows_at_a_time(std::uint64_t rows, std::uint64_t row_bytes) {
  const std::uint64_t whole_tiles = std::max<std::uint64_t>(piece_bytes / row_bytes / passes::tile_rows, 1);
  return std::min(whole_tiles * passes::tile_rows, rows);
}

// Pieces start at whole tiles, which are whole texels as well.
RowUpload::RowUpload(Device& device, std::uint64_t most_rows, std::uint64_t columns) : device_(device), copy_(device) {
  const std::uint64_t bytes = rows_at_a_time(most_rows, columns * 4) * columns * 4;
  for (Slot& slot : slots_) {
    slot.staging = device.create_buffer(bytes, MemoryKind::upload);
    slot.commands = device.create_commands(Timing::none);
  }
}

void RowUpload::run(const HostRows& database, const RowTarget& target, const Progress& progress,
                    std::uint64_t first_row) {
  const std::uint64_t rows = database.all.rows, row_bytes = database.all.columns * 4;
  device_.wait();  // a run that was interrupted may have left work
  // One slot is filled by the host while the device packs the other.
  std::size_t turn = 0;
  for (std::uint64_t first = 0; first < rows; turn ^= 1) {
    const std::uint64_t count = std::min({slots_[turn].staging->bytes() / row_bytes, rows - first,
                                          target.pack_end(first_row + first) - first_row - first});
    Slot& slot = slots_[turn];
    copy_.run(database.slice(first, count), static_cast<float*>(slot.staging->mapped()));
    slot.commands->begin();
    target.record_pack(*slot.commands, BufferView(*slot.staging, 0, count * row_bytes), first_row + first,
                       static_cast<std::uint32_t>(count));
    slot.commands->end();
    device_.wait();
    device_.submit(*slot.commands);
    first += count;
    if (progress) progress(first, rows);
  }
  device_.wait();
}

void upload_rows(Device& device, const HostRows& database, const RowTarget& target, const Progress& progress,
                 std::uint64_t first_row) {
  if (database.all.rows == 0) return;
  RowUpload(device, database.all.rows, database.all.columns).run(database, target, progress, first_row);
}

}  // namespace proxel::index
