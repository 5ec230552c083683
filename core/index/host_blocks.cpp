#include <algorithm>
#include <tuple>

#include "index/block_source.hpp"
#include "index/upload.hpp"
#include "proxel/passes/pack_tiles.h"
#include "watch.hpp"

namespace proxel::index {
namespace {

// A piece on its way to the device; some of them take turns, so that the link has always one.
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

void HostBlocks::load(const RowPart& part, const std::stop_token& stop) {
  const std::uint64_t row_bytes = database_.all.columns * 4;
  constexpr auto in_flight = static_cast<std::uint32_t>(std::tuple_size_v<decltype(staging_)> - 1);
  device_.wait_copies();  // a search that was interrupted may have left some
  std::size_t piece = 0;
  for (std::uint64_t row = 0; row < part.count && !stop.stop_requested(); row += piece_rows_, ++piece) {
    Watch::glance();
    const std::uint64_t rows = std::min(piece_rows_, part.count - row);
    Buffer& staging = *staging_[piece % staging_.size()];
    device_.wait_copies(in_flight);  // that which read this memory has ended; the others go on
    copy_.run(database_.slice(part.first + row, rows), static_cast<float*>(staging.mapped()));
    device_.start_copy(BufferView(staging, 0, rows * row_bytes),
                       BufferView(*raw_, (part.place + row) * row_bytes, rows * row_bytes));
  }
  device_.wait_copies();
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
