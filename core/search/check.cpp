#include "search/check.hpp"

#include <cmath>

#include <fmt/format.h>

namespace proxel::search {

using passes::tile_rows;

void require_range(const char* name, std::uint64_t given, std::uint64_t least, std::uint64_t most) {
  if (given < least || given > most)
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("{} was given, {} to {} is allowed", given, least, most));
}

void require_buffer(const char* name, const BufferView& view, std::uint64_t bytes,
                    std::uint64_t alignment) {
  if (bytes == 0) return;
  if (!view.buffer) throw Error(ErrorCode::invalid_argument, name, "no buffer was given");
  if (view.bytes < bytes)
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("{} bytes were given, {} are needed", view.bytes, bytes));
  if (view.address() % alignment != 0)
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("must start at a multiple of {} bytes", alignment));
}

void require_buffer(const char* name, const BufferView& view, const BufferRequirement& needed) {
  require_buffer(name, view, needed.bytes, needed.alignment);
}

void require_radius(float radius) {
  if (std::isnan(radius)) throw Error(ErrorCode::invalid_argument, "radius", "NaN was given, a number is allowed");
}

// Kernels form offsets inside a tile in 32 bits.
void check_segments(std::uint64_t described_rows, std::uint32_t dimensions,
                    std::span<const RowsSegment> segments) {
  std::uint64_t rows = 0;
  for (const RowsSegment& segment : segments) {
    const passes::Rows& layout = segment.rows;
    const std::uint64_t last =
        std::uint64_t{dimensions - 1} * layout.dimension_stride +
        std::uint64_t{tile_rows - 1} * layout.row_stride;
    if (last >= (1ull << 31))
      throw Error(ErrorCode::unsupported, "rows layout",
                  fmt::format("a tile of 128 rows spans {} elements, below 2^31 is allowed; "
                              "the tiled layout has no such limit", last));
    if (layout.address % 4 != 0)
      throw Error(ErrorCode::invalid_argument, "rows address", "must be a multiple of 4");
    if (segment.first_index + layout.count > described_rows || layout.count == 0)
      throw Error(ErrorCode::invalid_argument, "rows segment",
                  fmt::format("holds rows {} to {} of {}", segment.first_index,
                              segment.first_index + layout.count, described_rows));
    rows += layout.count;
  }
  if (rows != described_rows)
    throw Error(ErrorCode::invalid_argument, "rows segments",
                fmt::format("hold {} rows, {} were described", rows, described_rows));
}

void check(const SearchDescription& description) {
  require_range("rows", description.rows, 1, most_rows);
  require_range("dimensions", description.dimensions, 1, most_dimensions);
  require_range("queries", description.queries, 1, 0xFFFFFFFFull);
  require_range("k", description.k, 1, most_k);
  require_range("scratch_limit", description.scratch_limit, 1u << 20, UINT64_MAX);
}

void refuse_raw(const SearchDescription& description, const char* method) {
  if (description.raw)
    throw Error(ErrorCode::unsupported, "raw",
                fmt::format("{} has no arithmetic of its own: its distances are the canonical ones",
                            method));
}

void refuse_counted(const SearchDescription& description, const char* method) {
  if (description.counted)
    throw Error(ErrorCode::unsupported, "counted",
                fmt::format("{} needs the number of queries when it is recorded; use boxes, thresholds or the scan",
                            method));
}

void check(const SearchDescription& description, const SearchBuffers& buffers,
           std::uint64_t scratch_bytes) {
  const SearchRequirements needed = requirements_of(description, scratch_bytes);
  require_buffer("queries buffer", buffers.queries, needed.queries);
  require_buffer("scratch buffer", buffers.scratch, needed.scratch);
  require_buffer("indices buffer", buffers.indices, needed.indices);
  require_buffer("distances buffer", buffers.distances, needed.distances);
  require_buffer("filter buffer", buffers.filter, needed.filter);
  require_buffer("count buffer", buffers.count, needed.count);
  if (description.continued) {
    const SearchAfter& after = buffers.after;
    require_range("after stride", after.stride, 1, UINT32_MAX);
    const std::uint64_t pairs = std::uint64_t{description.queries - 1} * after.stride + 1;
    require_buffer("after distances buffer", after.distances, pairs * 4, element_alignment);
    require_buffer("after indices buffer", after.indices, pairs * 4, element_alignment);
  }
}

std::uint64_t filter_bytes(FilterKind kind, std::uint64_t rows, std::uint64_t queries) {
  if (kind == FilterKind::none) return 0;
  return (kind == FilterKind::shared ? 1 : queries) * filter_words(rows) * 4;
}

void check(const RangeDescription& description) {
  SearchDescription search;
  search.rows = description.rows;
  search.dimensions = description.dimensions;
  search.queries = description.queries;
  search.scratch_limit = description.scratch_limit;
  check(search);
  require_radius(description.radius);
}

void check(const RangeDescription& description, const RangeBuffers& buffers, std::uint64_t scratch_bytes,
           bool fill) {
  const RangeRequirements needed = requirements_of(description, scratch_bytes);
  require_buffer("queries buffer", buffers.queries, needed.queries);
  require_buffer("scratch buffer", buffers.scratch, needed.scratch);
  require_buffer("offsets buffer", buffers.offsets, needed.offsets);
  require_buffer("filter buffer", buffers.filter, needed.filter);
  if (!fill) return;
  require_buffer("indices buffer", buffers.indices, needed.indices);
  require_buffer("distances buffer", buffers.distances, needed.distances);
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

SearchRequirements requirements_of(const SearchDescription& description,
                                   std::uint64_t scratch_bytes) {
  const std::uint64_t queries = description.queries;
  SearchRequirements needed;
  needed.queries = queries_requirement(queries, description.dimensions);
  needed.scratch = search::scratch_requirement(scratch_bytes);
  needed.indices = needed.distances = elements_requirement(queries * description.k);
  needed.filter = filter_requirement(description);
  if (description.continued) needed.after_distances = needed.after_indices = elements_requirement(queries);
  if (description.counted) {
    needed.count = elements_requirement(1);
    needed.count.usage |= usage_transfer_source;
  }
  return needed;
}

RangeRequirements requirements_of(const RangeDescription& description, std::uint64_t scratch_bytes) {
  RangeRequirements needed;
  needed.queries = queries_requirement(description.queries, description.dimensions);
  needed.scratch = search::scratch_requirement(scratch_bytes);
  needed.offsets = search::offsets_requirement(description.queries);
  needed.indices = needed.distances = elements_requirement(1);
  needed.filter = filter_requirement(description);
  return needed;
}

}  // namespace proxel
