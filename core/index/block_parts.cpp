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
// A part becomes so many smaller ones. More of them would take the device longer than what they spare.
constexpr std::uint64_t halves_of_a_part = 2;
// So many parts at the end become smaller ones, so that the device has nothing left to catch up on when the last is there.
constexpr std::uint64_t smaller_at_end = 2;

std::uint64_t whole_tiles(std::uint64_t rows) { return divide_up<std::uint64_t>(rows, tile_rows) * tile_rows; }

// Rows that follow each other, and where they lie.
struct Stretch {
  std::uint64_t first = 0, end = 0;
  std::uint64_t place = 0, apart = 0;  // of its first part, and from there to the next one's
};

// A stretch in parts of so many; the last begins earlier where it may, to be as large.
void append(std::vector<RowPart>& parts, const Stretch& rows, std::uint64_t count, std::uint64_t alignment) {
  std::uint64_t place = rows.place;
  for (std::uint64_t first = rows.first; first < rows.end; first += count, place += rows.apart) {
    RowPart part{first, std::min(count, rows.end - first), place};
    const std::uint64_t earlier = rows.end - std::min(count, rows.end);
    if (part.count < count && earlier % alignment == 0) part = {earlier, rows.end - earlier, part.place};
    parts.push_back(part);
  }
}

}  // namespace

std::vector<RowPart> block_parts(const BlockRoom& room, std::uint64_t host_bytes, std::optional<SmallParts> wanted) {
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
  const std::uint64_t small = whole_tiles(divide_up(even, halves_of_a_part));
  // Smaller ones that do not fit the place of one would wait for each other.
  const bool fits = !halves || halves_of_a_part * small <= room.block_rows / 2;
  const bool serves = wanted && room.loads && number > 1 && small < even && fits &&
                      small >= rows_of(std::max(wanted->least_bytes, share_bytes));
  std::vector<RowPart> parts;
  for (std::uint64_t i = 0; i < number; ++i) {
    const bool in_small = serves && (wanted->first ? i == 0 : i > 0 && i + smaller_at_end >= number);
    const std::uint64_t count = in_small ? small : even;
    const std::uint64_t place = halves && i % 2 == 1 ? room.block_rows / 2 : 0;
    append(parts, {i * even, std::min((i + 1) * even, room.rows), place, halves ? count : 0}, count, room.alignment);
  }
  return parts;
}

}  // namespace proxel::index
