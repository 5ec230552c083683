#include "index/upload.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "search/check.hpp"

namespace proxel::index {
namespace {

constexpr std::uint64_t staging_bytes = std::uint64_t{32} << 20;

}  // namespace

void upload_rows(Device& device, const MatrixView<float>& database, const RowTarget& target,
                 const Progress& progress, std::uint64_t first_row) {
  if (database.rows == 0) return;
  // Pieces start at whole tiles, which are whole texels as well.
  const std::uint64_t rows = database.rows;
  const std::uint64_t row_bytes = database.columns * 4;
  const std::uint64_t piece_rows =
      std::clamp<std::uint64_t>(staging_bytes / row_bytes / passes::tile_rows, 1,
                                search::divide_up<std::uint64_t>(rows, passes::tile_rows)) *
      passes::tile_rows;
  struct Slot {
    std::unique_ptr<Buffer> staging;
    std::unique_ptr<Commands> commands;
  };
  std::array<Slot, 2> slots;
  for (Slot& slot : slots) {
    slot.staging = device.create_buffer(std::min(piece_rows, rows) * row_bytes, MemoryKind::upload);
    slot.commands = device.create_commands(Timing::none);
  }
  // One slot is filled by the host while the device packs the other.
  std::size_t turn = 0;
  for (std::uint64_t first = 0; first < rows; turn ^= 1) {
    const std::uint64_t count = std::min({piece_rows, rows - first, target.pack_end(first_row + first) - first_row - first});
    Slot& slot = slots[turn];
    copy_rows(database.slice(first, count), static_cast<float*>(slot.staging->mapped()));
    slot.commands->begin();
    target.record_pack(*slot.commands, BufferView(*slot.staging, 0, count * row_bytes),
                       first_row + first,
                       static_cast<std::uint32_t>(count));
    slot.commands->end();
    device.wait();
    device.submit(*slot.commands);
    first += count;
    if (progress) progress(first, rows);
  }
  device.wait();
}

}  // namespace proxel::index
