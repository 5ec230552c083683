#include "search/check.hpp"

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
  const auto require = [](const char* name, const BufferView& view, const BufferRequirement& needs) {
    require_buffer(name, view, needs.bytes, needs.alignment);
  };
  require("queries buffer", buffers.queries, needed.queries);
  require("scratch buffer", buffers.scratch, needed.scratch);
  require("indices buffer", buffers.indices, needed.indices);
  require("distances buffer", buffers.distances, needed.distances);
  require("filter buffer", buffers.filter, needed.filter);
  require("count buffer", buffers.count, needed.count);
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

void check_filter(FilterKind kind, std::uint64_t rows, std::uint64_t queries,
                  const BufferView& filter) {
  require_buffer("filter buffer", filter, filter_bytes(kind, rows, queries), element_alignment);
}

}  // namespace proxel::search

namespace proxel {

SearchRequirements requirements_of(const SearchDescription& description,
                                   std::uint64_t scratch_bytes) {
  constexpr std::uint32_t by_kernels = usage_storage | usage_device_address;
  const auto elements = [](std::uint64_t count) {
    return BufferRequirement{count * 4, search::element_alignment, by_kernels};
  };
  const std::uint64_t queries = description.queries;
  SearchRequirements needed;
  needed.queries = elements(queries * description.dimensions);
  needed.queries.alignment = search::query_alignment;
  // Plans fill parts of it, and copy what they counted to memory of their own.
  needed.scratch = {scratch_bytes, search::scratch_alignment,
                    by_kernels | usage_transfer_source | usage_transfer_destination};
  needed.indices = needed.distances = elements(queries * description.k);
  if (description.filter != FilterKind::none)
    needed.filter = elements(search::filter_bytes(description.filter, description.rows, queries) / 4);
  if (description.continued) needed.after_distances = needed.after_indices = elements(queries);
  if (description.counted) {
    needed.count = elements(1);
    needed.count.usage |= usage_transfer_source;
  }
  return needed;
}

}  // namespace proxel
