#include "index/block_parts.hpp"

#include <algorithm>

#include "proxel/passes/types.h"
#include "search/check.hpp"

namespace proxel::index {
namespace {

using passes::tile_rows;
using search::divide_up;

// Smaller parts cost more to begin than they spare; and so do parts to which queries and answers, which pass between
// host and device for each, are not small.
constexpr std::uint64_t least_part_bytes = std::uint64_t{256} << 20;
constexpr std::uint64_t least_share_of_host = 32;
// The last part is divided into so many.
constexpr std::uint64_t tail_parts = 4;

std::uint64_t whole_tiles(std::uint64_t rows) { return divide_up<std::uint64_t>(rows, tile_rows) * tile_rows; }

// Rows first … end - 1 in parts of so many; the last begins earlier where it may, to be as large.
void append(std::vector<RowPart>& parts, std::uint64_t first, std::uint64_t end, std::uint64_t count,
            const BlockRoom& room, bool halves) {
  for (; first < end; first += count) {
    RowPart part{first, std::min(count, end - first), halves && parts.size() % 2 == 1 ? room.block_rows / 2 : 0};
    const std::uint64_t earlier = end - std::min(count, end);
    if (part.count < count && earlier % room.alignment == 0) part = {earlier, end - earlier, part.place};
    parts.push_back(part);
  }
}

}  // namespace

std::vector<RowPart> block_parts(const BlockRoom& room, std::uint64_t host_bytes,
                                 std::optional<std::uint64_t> least_tail_bytes) {
  const auto rows_of = [&](std::uint64_t bytes) { return whole_tiles(divide_up(bytes, room.row_bytes)); };
  const std::uint64_t share_bytes = least_share_of_host * host_bytes;
  std::uint64_t most = std::min(room.block_rows, room.rows);
  bool halves = false;
  if (room.loads) {
    // Of two that fit one is loaded all the time, and the first is there sooner.
    const std::uint64_t rows = rows_of(std::max(least_part_bytes, share_bytes));
    const std::uint64_t half = room.block_rows / 2 / tile_rows * tile_rows;
    halves = rows - rows / 4 <= half;  // a little less serves as well
    if (halves) most = std::min({rows, half, room.rows});
  }
  const std::uint64_t number = divide_up(room.rows, most);
  const std::uint64_t even = whole_tiles(divide_up(room.rows, number));
  std::vector<RowPart> parts;
  append(parts, 0, room.rows, even, room, halves);
  if (!least_tail_bytes || !room.loads || parts.size() < 2) return parts;
  const std::uint64_t small =
      std::max(whole_tiles(divide_up(even, tail_parts)), rows_of(std::max(*least_tail_bytes, share_bytes)));
  if (2 * small > even) return parts;
  parts.pop_back();
  append(parts, parts.back().first + parts.back().count, room.rows, small, room, halves);
  return parts;
}

}  // namespace proxel::index
