#include "index/storage.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "index/run_once.hpp"
#include "proxel/passes.hpp"
#include "search/check.hpp"

namespace proxel::index {

using search::divide_up;

Storage::Tiles Storage::made_tiles() const {
  Tiles tiles;
  const std::uint64_t tile_bytes = std::uint64_t{passes::tile_rows} * dimensions_ * 4;
  const std::uint64_t most_bytes = device_.capabilities().max_allocation_bytes;
  const std::uint64_t tiles_at_most = most_bytes / tile_bytes;
  if (tiles_at_most == 0)
    throw Error(ErrorCode::unsupported, device_.info().id,
                fmt::format("one tile of 128 rows takes {} bytes, its largest buffer {}",
                            tile_bytes, most_bytes));
  const std::uint64_t rows_at_most = tiles_at_most * passes::tile_rows;
  for (std::uint64_t first = 0; first < rows_; first += rows_at_most) {
    const std::uint64_t count = std::min(rows_at_most, rows_ - first);
    tiles.buffers.push_back(device_.create_buffer(
        divide_up<std::uint64_t>(count, passes::tile_rows) * tile_bytes, MemoryKind::device));
    tiles.segments.push_back(
        {tiled_rows(tiles.buffers.back()->address(), count, dimensions_), first});
  }
  return tiles;
}

void Storage::create_tiles() { plain_ = made_tiles(); }

std::span<const RowsSegment> Storage::segments(Metric metric) {
  if (!normalizes(metric)) return plain_.segments;
  Tiles& kept = metric == Metric::cosine ? cosine_ : pearson_;
  if (kept.segments.empty()) {
    Tiles normalized = made_tiles();
    run_once(device_, [&](Recording& recording) {
      for (std::size_t i = 0; i < plain_.segments.size(); ++i)
        record_normalize(recording, metric, plain_.segments[i].rows, normalized.segments[i].rows,
                         dimensions_);
    });
    kept = std::move(normalized);
  }
  return kept.segments;
}

const RowsSegment& Storage::segment_of(std::uint64_t row) const {
  const auto holds = [&](const RowsSegment& segment) {
    return row < segment.first_index + segment.rows.count;
  };
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

}  // namespace proxel::index
