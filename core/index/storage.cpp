#include "index/storage.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "proxel/passes/pack_tiles.h"
#include "proxel/passes/unpack_rows.h"
#include "search/check.hpp"
#include "session/run_once.hpp"

namespace proxel::index {

using search::divide_up;

// A buffer of so many bytes, half as large again as the old one where that is at most
// `most_bytes`, with the contents of the old one in front.
std::unique_ptr<Buffer> Storage::enlarged(Buffer* old, std::uint64_t bytes, std::uint64_t most_bytes) const {
  if (!old) return device_.create_buffer(bytes, MemoryKind::device);
  const std::uint64_t tile_bytes = std::uint64_t{passes::tile_rows} * dimensions_ * 4;
  const std::uint64_t half_more = old->bytes() / tile_bytes * 3 / 2 * tile_bytes;
  std::unique_ptr<Buffer> fresh;
  try {
    fresh = device_.create_buffer(std::max(bytes, std::min(half_more, most_bytes)), MemoryKind::device);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    fresh = device_.create_buffer(bytes, MemoryKind::device);
  }
  session::run_once(device_, [&](Recording& recording) { recording.copy(*old, BufferView(*fresh, 0, old->bytes())); });
  return fresh;
}

void Storage::resize(Tiles& tiles, std::uint64_t rows, std::uint64_t memory_limit) const {
  const std::uint64_t tile_bytes = std::uint64_t{passes::tile_rows} * dimensions_ * 4;
  const std::uint64_t most_bytes = device_.capabilities().max_allocation_bytes;
  const std::uint64_t tiles_at_most = most_bytes / tile_bytes;
  if (tiles_at_most == 0)
    throw Error(ErrorCode::unsupported, device_.info().id,
                fmt::format("one tile of 128 rows takes {} bytes, its largest buffer {}", tile_bytes, most_bytes));
  const std::uint64_t rows_at_most = tiles_at_most * passes::tile_rows;
  std::vector<std::unique_ptr<Buffer>> fresh;
  std::vector<RowsSegment> segments;
  // Only the last part grows; those before it are full.
  const std::uint64_t taken = (rows - 1) / rows_at_most * tiles_at_most * tile_bytes;
  const std::uint64_t most_of_last =
      std::min(most_bytes, memory_limit > taken ? memory_limit - taken : 0) / tile_bytes * tile_bytes;
  for (std::uint64_t first = 0; first < rows; first += rows_at_most) {
    const std::size_t part = segments.size();
    const std::uint64_t count = std::min(rows_at_most, rows - first);
    const std::uint64_t bytes = divide_up<std::uint64_t>(count, passes::tile_rows) * tile_bytes;
    Buffer* old = part < tiles.buffers.size() ? tiles.buffers[part].get() : nullptr;
    fresh.push_back(old && old->bytes() >= bytes ? nullptr : enlarged(old, bytes, most_of_last));
    const Buffer& buffer = fresh.back() ? *fresh.back() : *old;
    segments.push_back({tiled_rows(buffer.address(), count, dimensions_), first});
  }
  tiles.buffers.resize(fresh.size());
  for (std::size_t part = 0; part < fresh.size(); ++part)
    if (fresh[part]) tiles.buffers[part] = std::move(fresh[part]);
  tiles.segments = std::move(segments);
}

void Storage::set_rows(std::uint64_t rows, std::uint64_t memory_limit) {
  resize(plain_, rows, memory_limit);
  rows_ = rows;
}

void Storage::lie_within(const Storage& other, std::uint64_t rows) {
  const Buffer& memory = *other.plain_.buffers.front();
  const std::uint64_t tiles = divide_up<std::uint64_t>(rows, passes::tile_rows);
  if (tiles * passes::tile_rows * dimensions_ * 4 > memory.bytes())
    throw Error(ErrorCode::backend_failure, device_.info().id, fmt::format("there is no room for {} rows", rows));
  plain_.segments = {{tiled_rows(memory.address(), rows, dimensions_), 0}};
  rows_ = rows;
}

void Storage::shorten(std::uint64_t rows) noexcept {
  while (plain_.segments.back().first_index >= rows) {
    plain_.segments.pop_back();
    plain_.buffers.pop_back();
  }
  RowsSegment& last = plain_.segments.back();
  last.rows.count = static_cast<std::uint32_t>(rows - last.first_index);
  rows_ = rows;
}

void Storage::take(Storage&& other) noexcept {
  plain_ = std::move(other.plain_);
  rows_ = other.rows_;
}

void Storage::rows_changed(std::uint64_t first) {
  for (Tiles* copy : {&cosine_, &pearson_}) copy->current = std::min(copy->current, first);
}

std::span<const RowsSegment> Storage::segments(Metric metric) {
  if (!normalizes(metric)) return plain_.segments;
  Tiles& copy = metric == Metric::cosine ? cosine_ : pearson_;
  if (copy.current == rows_) return copy.segments;
  // What reads the segments of as many rows goes on doing so.
  const bool as_many =
      !copy.segments.empty() && copy.segments.back().first_index + copy.segments.back().rows.count == rows_;
  if (!as_many) resize(copy, rows_, UINT64_MAX);
  // Whole tiles: one that has new rows is normalised again.
  const std::uint64_t from = copy.current / passes::tile_rows * passes::tile_rows;
  const auto rows_from = [&](const RowsSegment& segment) {
    const std::uint64_t skipped = std::max(from, segment.first_index) - segment.first_index;
    return tiled_rows(segment.rows.address + skipped * dimensions_ * 4, segment.rows.count - skipped, dimensions_);
  };
  const auto normalize = [&](Recording& recording) {
    for (std::size_t i = 0; i < plain_.segments.size(); ++i)
      if (plain_.segments[i].first_index + plain_.segments[i].rows.count > from)
        record_normalize(recording, metric, rows_from(plain_.segments[i]), rows_from(copy.segments[i]), dimensions_);
  };
  if (passing_)
    session::start(device_, following_, normalize, Timing::none);
  else
    session::run_once(device_, normalize);
  copy.current = rows_;
  return copy.segments;
}

const RowsSegment& Storage::segment_of(std::uint64_t row) const {
  const auto holds = [&](const RowsSegment& segment) { return row < segment.first_index + segment.rows.count; };
  return *std::find_if(plain_.segments.begin(), plain_.segments.end(), holds);
}

std::uint64_t Storage::pack_end(std::uint64_t first) const {
  const RowsSegment& segment = segment_of(first);
  return segment.first_index + segment.rows.count;
}

void Storage::record_pack(Recording& recording, const BufferView& source, std::uint64_t first,
                          std::uint32_t count) const {
  const RowsSegment& segment = segment_of(first);
  passes::PackTilesParameters parameters{};
  parameters.rows = segment.rows;
  parameters.source = source.address();
  parameters.dimensions = dimensions_;
  parameters.first_row = static_cast<std::uint32_t>(first - segment.first_index);
  parameters.source_rows = count;
  recording.record(passes::make_pack_tiles(parameters));
}

void Storage::record_unpack(Recording& recording, std::uint64_t first, std::uint32_t count,
                            const BufferView& to) const {
  for (std::uint64_t row = first; row < first + count;) {
    const RowsSegment& segment = segment_of(row);
    const std::uint64_t end = std::min(first + count, pack_end(row));
    passes::UnpackRowsParameters parameters{};
    parameters.rows = segment.rows;
    parameters.destination = to.address() + (row - first) * dimensions_ * 4;
    parameters.dimensions = dimensions_;
    parameters.first_row = static_cast<std::uint32_t>(row - segment.first_index);
    parameters.row_count = static_cast<std::uint32_t>(end - row);
    recording.record(passes::make_unpack_rows(parameters));
    row = end;
  }
}

void Storage::read(std::uint64_t first, std::uint64_t count, Buffer& to) const {
  session::run_once(
      device_, [&](Recording& recording) { record_unpack(recording, first, static_cast<std::uint32_t>(count), to); });
}

}  // namespace proxel::index
