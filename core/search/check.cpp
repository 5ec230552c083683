#include "search/check.hpp"

#include <fmt/format.h>

namespace proxel::search {
namespace {

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

}  // namespace

void check(const SearchDescription& description) {
  require_range("rows", description.rows, 1, most_rows);
  require_range("dimensions", description.dimensions, 1, most_dimensions);
  require_range("queries", description.queries, 1, 0xFFFFFFFFull);
  require_range("k", description.k, 1, most_k);
  require_range("scratch_limit", description.scratch_limit, 1u << 20, UINT64_MAX);
}

void check(const SearchDescription& description, const SearchBuffers& buffers,
           std::uint64_t scratch_bytes) {
  const std::uint64_t slots = std::uint64_t{description.queries} * description.k;
  require_buffer("queries buffer", buffers.queries,
                 std::uint64_t{description.queries} * description.dimensions * 4, 16);
  require_buffer("scratch buffer", buffers.scratch, scratch_bytes, 256);
  require_buffer("indices buffer", buffers.indices, slots * 4, 4);
  require_buffer("distances buffer", buffers.distances, slots * 4, 4);
}

}  // namespace proxel::search
