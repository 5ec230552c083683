#include "search/check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace proxel::search {

using passes::tile_rows;

void require_range(const char* name, std::uint64_t given, std::uint64_t least, std::uint64_t most) {
  if (given < least || given > most)
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("{} was given, {} to {} is allowed", given, least, most));
}

void require_buffer(const char* name, const BufferView& view, std::uint64_t bytes, std::uint64_t alignment) {
  if (bytes == 0) return;
  if (!view.buffer)
    throw Error(ErrorCode::invalid_argument, name, fmt::format("no buffer was given, {} bytes are needed", bytes));
  const std::uint64_t there = view.buffer->bytes();
  if (view.offset > there || view.bytes > there - view.offset)
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("{} bytes from byte {} on were given, its buffer has {}", view.bytes, view.offset, there));
  if (view.address() == 0) throw Error(ErrorCode::invalid_argument, name, "is at address 0");
  if (view.bytes < bytes)
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("{} bytes were given, {} are needed", view.bytes, bytes));
  if (view.address() % alignment != 0)
    throw Error(ErrorCode::invalid_argument, name, fmt::format("must start at a multiple of {} bytes", alignment));
}

void require_buffer(const char* name, const BufferView& view, const BufferRequirement& needed) {
  require_buffer(name, view, needed.bytes, needed.alignment);
}

void require_radius(float radius) {
  if (std::isnan(radius)) throw Error(ErrorCode::invalid_argument, "radius", "NaN was given, a number is allowed");
}

void require_metric(Metric metric) {
  constexpr Metric last = *std::max_element(all_metrics.begin(), all_metrics.end());
  require_enumerator("metric", metric, last);
}

std::uint64_t rows_bytes(const passes::Rows& rows, std::uint32_t dimensions) {
  const std::uint64_t last_tile = (rows.count - 1) / tile_rows;
  // The last row of the last tile or, where the one before reaches further, of that.
  const auto end_of = [&](std::uint64_t tile, std::uint64_t row) {
    return tile * rows.tile_stride + row * rows.row_stride;
  };
  std::uint64_t last = end_of(last_tile, (rows.count - 1) % tile_rows);
  if (last_tile != 0) last = std::max(last, end_of(last_tile - 1, tile_rows - 1));
  return (last + std::uint64_t{dimensions - 1} * rows.dimension_stride + 1) * 4;
}

// Kernels form offsets inside a tile in 32 bits.
void check_layout(const passes::Rows& rows, std::uint32_t dimensions) {
  const std::uint64_t last =
      std::uint64_t{dimensions - 1} * rows.dimension_stride + std::uint64_t{tile_rows - 1} * rows.row_stride;
  if (last >= (1ull << 31))
    throw Error(ErrorCode::unsupported, "rows layout",
                fmt::format("a tile of 128 rows spans {} elements, below 2^31 is allowed; "
                            "the tiled layout has no such limit",
                            last));
  if (rows.address % 4 != 0) throw Error(ErrorCode::invalid_argument, "rows address", "must be a multiple of 4");
}

void check_segments(std::uint64_t described_rows, std::uint32_t dimensions, std::span<const RowsSegment> segments) {
  std::uint64_t rows = 0;
  for (const RowsSegment& segment : segments) {
    const passes::Rows& layout = segment.rows;
    check_layout(layout, dimensions);
    if (layout.count == 0 || segment.first_index > described_rows ||
        layout.count > described_rows - segment.first_index)
      throw Error(ErrorCode::invalid_argument, "rows segment",
                  fmt::format("holds rows {} to {} of {}", segment.first_index, segment.first_index + layout.count,
                              described_rows));
    rows += layout.count;
  }
  if (rows != described_rows)
    throw Error(ErrorCode::invalid_argument, "rows segments",
                fmt::format("hold {} rows, {} were described", rows, described_rows));
}

void check(const SearchDescription& description) {
  require_metric(description.metric);
  require_enumerator("filter", description.filter, FilterKind::per_query);
  require_range("rows", description.rows, 1, most_rows);
  require_range("dimensions", description.dimensions, 1, most_dimensions);
  require_range("queries", description.queries, 1, 0xFFFFFFFFull);
  require_range("k", description.k, 1, most_k);
  require_range("scratch_limit", description.scratch_limit, 1u << 20, UINT64_MAX);
}

void refuse_raw(const SearchDescription& description, const char* method) {
  if (description.raw)
    throw Error(ErrorCode::unsupported, "raw",
                fmt::format("{} has no arithmetic of its own: its distances are the canonical ones", method));
}

void refuse_counted(const SearchDescription& description, const char* method) {
  if (description.counted)
    throw Error(
        ErrorCode::unsupported, "counted",
        fmt::format("{} needs the number of queries when it is recorded; use boxes, thresholds or the scan", method));
}

std::uint64_t filter_bytes(FilterKind kind, std::uint64_t rows, std::uint64_t queries) {
  if (kind == FilterKind::none) return 0;
  return (kind == FilterKind::shared ? 1 : queries) * filter_words(rows) * 4;
}

void check(const RangeDescription& description) {
  SearchDescription search;
  search.metric = description.metric;
  search.filter = description.filter;
  search.rows = description.rows;
  search.dimensions = description.dimensions;
  search.queries = description.queries;
  search.scratch_limit = description.scratch_limit;
  check(search);
  require_radius(description.radius);
}

}  // namespace proxel::search

namespace proxel {

using search::elements_requirement;

namespace {

BufferRequirement queries_requirement(std::uint64_t queries, std::uint64_t dimensions) {
  BufferRequirement needed = elements_requirement(queries * dimensions);
  needed.alignment = search::query_alignment;
  return needed;
}

// @param description  of a search or a range search
template <typename Description>
BufferRequirement filter_requirement(const Description& description) {
  if (description.filter == FilterKind::none) return {};
  return elements_requirement(search::filter_bytes(description.filter, description.rows, description.queries) / 4);
}

}  // namespace

SearchRequirements requirements_of(const SearchDescription& description, std::uint64_t scratch_bytes) {
  const std::uint64_t queries = description.queries;
  SearchRequirements needed;
  needed.queries = queries_requirement(queries, description.dimensions);
  needed.scratch = search::scratch_requirement(scratch_bytes);
  needed.indices = needed.distances = elements_requirement(queries * description.k);
  needed.filter = filter_requirement(description);
  if (description.continued) needed.after_distances = needed.after_indices = elements_requirement(queries);
  if (description.bounded) needed.bounds = elements_requirement(queries);
  if (description.counted) {
    needed.count = elements_requirement(1);
    needed.count.usage |= usage_transfer_source;
  }
  return needed;
}

SearchRequirements requirements_of(const RangeDescription& description, std::uint64_t scratch_bytes) {
  SearchRequirements needed;
  needed.queries = queries_requirement(description.queries, description.dimensions);
  needed.scratch = search::scratch_requirement(scratch_bytes);
  needed.offsets = search::offsets_requirement(description.queries);
  needed.indices = needed.distances = elements_requirement(1);
  needed.filter = filter_requirement(description);
  return needed;
}

}  // namespace proxel
