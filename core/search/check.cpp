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

void check(const SearchDescription& description, const SearchBuffers& buffers,
           std::uint64_t scratch_bytes) {
  const std::uint64_t slots = std::uint64_t{description.queries} * description.k;
  require_buffer("queries buffer", buffers.queries,
                 std::uint64_t{description.queries} * description.dimensions * 4, 16);
  require_buffer("scratch buffer", buffers.scratch, scratch_bytes, 256);
  require_buffer("indices buffer", buffers.indices, slots * 4, 4);
  require_buffer("distances buffer", buffers.distances, slots * 4, 4);
  check_filter(description.filter, description.rows, description.queries, buffers.filter);
  if (description.continued) {
    const SearchAfter& after = buffers.after;
    require_range("after stride", after.stride, 1, UINT32_MAX);
    const std::uint64_t pairs = std::uint64_t{description.queries - 1} * after.stride + 1;
    require_buffer("after distances buffer", after.distances, pairs * 4, 4);
    require_buffer("after indices buffer", after.indices, pairs * 4, 4);
  }
}

void check_filter(FilterKind kind, std::uint64_t rows, std::uint64_t queries,
                  const BufferView& filter) {
  if (kind == FilterKind::none) return;
  const std::uint64_t filters = kind == FilterKind::shared ? 1 : queries;
  require_buffer("filter buffer", filter, filters * filter_words(rows) * 4, 4);
}

}  // namespace proxel::search
