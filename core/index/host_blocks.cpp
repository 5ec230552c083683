#include <algorithm>

#include "index/block_source.hpp"
#include "index/upload.hpp"
#include "proxel/passes/pack_tiles.h"
#include "watch.hpp"

namespace proxel::index {

HostBlocks::HostBlocks(Device& device, const HostRows& database, std::uint64_t block_rows)
    : database_(database),
      piece_rows_(std::clamp<std::uint64_t>(session::staging_bytes / (database.all.columns * 4), 1, block_rows)),
      raw_(device.create_buffer(block_rows * database.all.columns * 4, MemoryKind::device)),
      copy_(device),
      copies_(device, piece_rows_ * database.all.columns * 4) {}

void HostBlocks::load(const RowPart& part, const std::stop_token& stop, const std::function<void()>& first) {
  const std::uint64_t row_bytes = database_.all.columns * 4;
  for (std::uint64_t row = 0; row < part.count && !stop.stop_requested(); row += piece_rows_) {
    auto* const piece = static_cast<float*>(copies_.next());
    Watch::glance();
    const std::uint64_t rows = std::min(piece_rows_, part.count - row);
    copy_.run(database_.slice(part.first + row, rows), piece);
    if (row == 0) first();
    copies_.send(BufferView(*raw_, (part.place + row) * row_bytes, rows * row_bytes));
  }
}

void HostBlocks::read(std::uint64_t first, std::uint64_t count, Buffer& to) {
  copy_rows(database_.slice(first, count), static_cast<float*>(to.mapped()));
}

void HostBlocks::record_unload(Recording& recording, const RowPart& part, const passes::Rows& tiles) const {
  passes::PackTilesParameters parameters{};
  parameters.rows = tiles;
  parameters.source = raw_->address() + part.place * database_.all.columns * 4;
  parameters.dimensions = static_cast<std::uint32_t>(database_.all.columns);
  parameters.source_rows = tiles.count;
  recording.record(passes::make_pack_tiles(parameters));
}

}  // namespace proxel::index
