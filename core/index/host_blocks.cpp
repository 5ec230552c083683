#include <algorithm>

#include "index/block_source.hpp"
#include "index/upload.hpp"
#include "proxel/passes/pack_tiles.h"
#include "session/stopwatch.hpp"
#include "watch.hpp"

namespace proxel::index {
HostBlocks::HostBlocks(Device& device, const HostRows& database, std::uint64_t block_rows)
    : database_(database),
      piece_rows_(std::clamp<std::uint64_t>(session::staging_bytes / (database.all.columns * 4), 1, block_rows)),
      raw_(device.create_buffer(block_rows * database.all.columns * 4, MemoryKind::device)),
      copies_(device, piece_rows_ * database.all.columns * 4) {}

void HostBlocks::load(std::uint64_t first, std::uint64_t count, SearchTimes& times) {
  const session::Stopwatch loading;
  const std::uint64_t row_bytes = database_.all.columns * 4;
  copies_.begin();
  for (std::uint64_t row = 0; row < count; row += piece_rows_) {
    void* const piece = copies_.next();
    Watch::glance();
    const std::uint64_t rows = std::min(piece_rows_, count - row);
    copy_rows(database_.slice(first + row, rows), static_cast<float*>(piece));
    copies_.send(BufferView(*raw_, row * row_bytes, rows * row_bytes));
  }
  times.upload_milliseconds += loading.milliseconds();
}

void HostBlocks::read(std::uint64_t first, std::uint64_t count, Buffer& to) {
  copy_rows(database_.slice(first, count), static_cast<float*>(to.mapped()));
}

void HostBlocks::record_unload(Recording& recording, const passes::Rows& tiles) const {
  passes::PackTilesParameters parameters{};
  parameters.rows = tiles;
  parameters.source = raw_->address();
  parameters.dimensions = static_cast<std::uint32_t>(database_.all.columns);
  parameters.source_rows = tiles.count;
  recording.record(passes::make_pack_tiles(parameters));
}

}  // namespace proxel::index
