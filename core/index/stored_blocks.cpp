#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "data/elements.hpp"
#include "index/block_source.hpp"
#include "index/narrow.hpp"
#include "index/upload.hpp"
#include "passes/elements.hpp"
#include "proxel/passes/pack_tiles.h"
#include "session/run_once.hpp"

namespace proxel::index {

using passes::tile_rows;

namespace {

// Kernels read, and copies move, whole words.
constexpr std::uint64_t whole_words(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }

}  // namespace

StoredBlocks::StoredBlocks(Device& device, std::uint64_t rows, std::uint32_t dimensions, ElementType type,
                           const Fill& fill, const Progress& progress)
    : device_(device),
      type_(type),
      dimensions_(dimensions),
      row_bytes_(std::uint64_t{dimensions} * passes::element_bytes(element_of(type))) {
  const std::uint64_t tiles = device.capabilities().max_allocation_bytes / (row_bytes_ * tile_rows);
  if (tiles == 0)
    throw Error(ErrorCode::unsupported, device.info().id,
                fmt::format("128 rows take {} bytes, its largest buffer {}", row_bytes_ * tile_rows,
                            device.capabilities().max_allocation_bytes));
  buffer_rows_ = tiles * tile_rows;
  for (std::uint64_t first = 0; first < rows; first += buffer_rows_) {
    const std::uint64_t held = std::min(buffer_rows_, rows - first);
    buffers_.push_back(device.create_buffer(whole_words(held * row_bytes_), MemoryKind::device));
  }

  const std::uint64_t piece_rows = rows_at_a_time(rows, row_bytes_);
  session::StagedCopies copies(device, whole_words(piece_rows * row_bytes_));
  for (std::uint64_t first = 0; first < rows;) {
    const std::uint64_t buffer = first / buffer_rows_;
    const std::uint64_t end = std::min(rows, (buffer + 1) * buffer_rows_);
    const std::uint64_t count = std::min(piece_rows, end - first);
    fill(first, count, copies.next());
    copies.send(BufferView(*buffers_[buffer], (first % buffer_rows_) * row_bytes_, whole_words(count * row_bytes_)));
    first += count;
    if (progress) progress(first, rows);
  }
  copies.finish();
}

std::uint64_t StoredBlocks::alignment() const {
  if (buffers_.size() > 1) return tile_rows;
  return 4 / std::gcd(row_bytes_, std::uint64_t{4});
}

void StoredBlocks::record_unload(Recording& recording, const RowPart& part, const passes::Rows& tiles) const {
  for (std::uint64_t done = 0; done < tiles.count;) {
    const std::uint64_t row = part.first + done;
    const std::uint64_t count = std::min(tiles.count - done, buffer_rows_ - row % buffer_rows_);
    passes::PackTilesParameters parameters{};
    parameters.rows = tiles;
    parameters.source = buffers_[row / buffer_rows_]->address() + row % buffer_rows_ * row_bytes_;
    parameters.dimensions = dimensions_;
    parameters.first_row = static_cast<std::uint32_t>(done);
    parameters.source_rows = static_cast<std::uint32_t>(count);
    recording.record(passes::make_pack_tiles(parameters, element_of(type_)));
    done += count;
  }
}

void StoredBlocks::read(std::uint64_t first, std::uint64_t count, Buffer& to) {
  session::run_once(device_, [&](Recording& recording) {
    for (std::uint64_t done = 0; done < count;) {
      const std::uint64_t row = first + done;
      const std::uint64_t some = std::min(count - done, buffer_rows_ - row % buffer_rows_);
      const std::uint64_t bytes = whole_words(some * row_bytes_);
      recording.copy(BufferView(*buffers_[row / buffer_rows_], row % buffer_rows_ * row_bytes_, bytes),
                     BufferView(to, done * row_bytes_, bytes));
      done += some;
    }
  });
}

MatrixView<float> StoredBlocks::rows(std::uint64_t first, std::uint64_t count, Matrix<float>& room) {
  room = Matrix<float>(count, dimensions_);
  const std::uint64_t most = rows_at_a_time(UINT64_MAX, row_bytes_);
  if (!read_) read_ = device_.create_buffer(whole_words(most * row_bytes_), MemoryKind::readback);
  for (std::uint64_t done = 0; done < count;) {
    // What is read begins at whole tiles.
    const std::uint64_t before = (first + done) % tile_rows;
    const std::uint64_t some = std::min(count - done, most - before);
    read(first + done - before, before + some, *read_);
    data::convert(type_, false, static_cast<const std::byte*>(read_->mapped()) + before * row_bytes_,
                  some * dimensions_, room.data() + done * dimensions_, 1);
    done += some;
  }
  return room.view();
}

}  // namespace proxel::index
