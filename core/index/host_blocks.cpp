#include <algorithm>

#include "index/block_source.hpp"
#include "index/upload.hpp"
#include "proxel/passes/pack_tiles.h"
#include "watch.hpp"

namespace proxel::index {
namespace {

// A piece on its way to the device; two of them take turns.
constexpr std::uint64_t host_staging_bytes = std::uint64_t{32} << 20;

}  // namespace

CopiesEnd::~CopiesEnd() {
  try {
    device_.wait_copies();
  } catch (const Error&) {
    // a lost device copies nothing any more
  }
}

HostBlocks::HostBlocks(Device& device, const HostRows& database, std::uint64_t block_rows)
    : device_(device),
      database_(database),
      piece_rows_(std::clamp<std::uint64_t>(host_staging_bytes / (database.all.columns * 4), 1, block_rows)),
      raw_(device.create_buffer(block_rows * database.all.columns * 4, MemoryKind::device)),
      copy_(device) {
  for (auto& staging : staging_)
    staging = device.create_buffer(piece_rows_ * database.all.columns * 4, MemoryKind::upload);
}

void HostBlocks::load(std::uint64_t first, std::uint64_t count, const std::stop_token& stop) {
  const std::uint64_t row_bytes = database_.all.columns * 4;
  device_.wait_copies();  // a search that was interrupted may have left some
  std::size_t piece = 0;
  for (std::uint64_t row = 0; row < count && !stop.stop_requested(); row += piece_rows_, ++piece) {
    Watch::glance();
    const std::uint64_t rows = std::min(piece_rows_, count - row);
    Buffer& staging = *staging_[piece % staging_.size()];
    // The copy before the last read this memory, and has been waited for; the last one goes on meanwhile.
    copy_.run(database_.slice(first + row, rows), static_cast<float*>(staging.mapped()));
    device_.wait_copies();
    device_.start_copy(BufferView(staging, 0, rows * row_bytes), BufferView(*raw_, row * row_bytes, rows * row_bytes));
  }
  device_.wait_copies();
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
