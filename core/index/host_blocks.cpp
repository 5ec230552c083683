#include <algorithm>

#include "index/block_source.hpp"
#include "index/upload.hpp"
#include "proxel/passes/pack_tiles.h"
#include "watch.hpp"

namespace proxel::index {
namespace {

// Of pinned rows one piece travels and one waits: a search that is interrupted waits for no more.
constexpr std::uint64_t pinned_piece_bytes = std::uint64_t{64} << 20;

}  // namespace

HostBlocks::HostBlocks(Device& device, const HostRows& database, std::uint64_t block_rows, bool pinned)
    : device_(device),
      database_(database),
      piece_rows_(std::clamp<std::uint64_t>(
          (pinned ? pinned_piece_bytes : session::staging_bytes) / (database.all.columns * 4), 1, block_rows)),
      raw_(device.create_buffer(block_rows * database.all.columns * 4, MemoryKind::device)),
      end_(device) {
  if (pinned)
    pinned_.emplace(device, database.all);
  else
    staged_.emplace(device, piece_rows_ * database.all.columns * 4);
}

void HostBlocks::load(const RowPart& part, const std::stop_token& stop, const std::function<void()>& first) {
  const std::uint64_t row_bytes = database_.all.columns * 4;
  for (std::uint64_t row = 0; row < part.count && !stop.stop_requested(); row += piece_rows_) {
    auto* const staging = staged_ ? static_cast<float*>(staged_->copies.next()) : nullptr;
    Watch::glance();
    const std::uint64_t rows = std::min(piece_rows_, part.count - row);
    const MatrixView<float> piece = database_.slice(part.first + row, rows);
    if (staged_) staged_->copy.run(piece, staging);
    const BufferView to(*raw_, (part.place + row) * row_bytes, rows * row_bytes);
    if (staged_)
      staged_->copies.send(to);
    else
      pinned_->send((part.first + row) * row_bytes, to);
    if (row == 0) first();
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
