// How rows that pass through the device are divided: by ones around every limit.
#include "index/block_parts.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

using namespace proxel::index;

namespace {

constexpr std::uint64_t tile = 128, mebibyte = std::uint64_t{1} << 20;

// All rows are there, in order, in places that have room; the parts are of at most two sizes, the smaller ones at one end.
void check(const BlockRoom& room, std::uint64_t host_bytes, std::optional<SmallParts> small) {
  CAPTURE(room.rows);
  CAPTURE(room.block_rows);
  CAPTURE(room.row_bytes);
  CAPTURE(host_bytes);
  const std::vector<RowPart> parts = block_parts(room, host_bytes, small);
  REQUIRE(!parts.empty());
  const auto [least, most] = std::ranges::minmax(parts, {}, &RowPart::count);
  const bool halves = std::ranges::any_of(parts, [](const RowPart& part) { return part.place != 0; });
  const std::uint64_t half = room.block_rows / 2;
  std::uint64_t end = 0, changes = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const RowPart& part = parts[i];
    CHECK(part.first <= end);
    CHECK(part.first + part.count > end);
    end = part.first + part.count;
    CHECK(part.first % room.alignment == 0);
    CHECK(part.place + part.count <= room.block_rows);
    if (halves) CHECK((part.place >= half || part.place + part.count <= half));
    CHECK((part.count == least.count || part.count == most.count));
    if (i == 0) continue;
    const RowPart& before = parts[i - 1];
    changes += part.count != before.count;
    if (halves) CHECK((part.place + part.count <= before.place || before.place + before.count <= part.place));
    // Each is loaded beside the search of the one before.
    if (halves && part.count == most.count && before.count == most.count)
      CHECK((part.place < half) != (before.place < half));
  }
  CHECK(end == room.rows);
  CHECK(changes <= 1);
  const bool smaller = least.count < most.count;
  if (room.alignment == 1 && (!room.loads || !small)) CHECK(!smaller);
  if (!smaller || !small || !room.loads) return;
  CHECK((small->first ? parts.front() : parts.back()).count == least.count);
  CHECK(least.count >= most.count / 2);
  CHECK(2 * least.count < most.count + 2 * tile);
  CHECK(least.count * room.row_bytes >= std::max(small->least_bytes, 32 * host_bytes));
}

}  // namespace

TEST_CASE("parts of rows: all of them, by ones around tiles, blocks, halves and what smaller ones need") {
  const std::vector<std::optional<SmallParts>> wanted = {std::nullopt, SmallParts{false, 0}, SmallParts{true, 0},
                                                         SmallParts{false, 32 * tile}, SmallParts{true, 32 * tile}};
  for (const std::uint64_t block : {tile, 2 * tile, 5 * tile, 16 * tile})
    for (const bool loads : {false, true})
      for (const std::uint64_t alignment : {std::uint64_t{1}, loads ? std::uint64_t{1} : tile})
        for (std::uint64_t rows = 1; rows < 40 * tile; rows += rows % tile < 2 || rows % tile > 125 ? 1 : 31)
          for (const std::optional<SmallParts>& small : wanted)
            check({rows, block, 28, alignment, loads}, rows % 3, small);
  // Where there is room for two parts of 256 MiB, in which a million rows of 128 values are two.
  for (const std::uint64_t room : {383 * mebibyte, 384 * mebibyte, 511 * mebibyte, 512 * mebibyte, 1024 * mebibyte})
    for (const std::uint64_t rows :
         {1'000'000u, 1'048'576u, 1'048'577u, 2'621'439u, 2'621'440u, 2'621'441u, 4'000'000u})
      for (const std::uint64_t more : {0u, 127u, 128u, 129u})
        for (const std::uint64_t host : {std::uint64_t{0}, mebibyte, 2 * mebibyte, 4 * mebibyte, 9 * mebibyte})
          for (const bool first : {false, true})
            check({rows, room / 512 / tile * tile + more / tile * tile, 512, 1, true}, host,
                  SmallParts{first, 32 * mebibyte});
}

TEST_CASE("parts of rows: smaller ones are halves of the first or of the last two") {
  const BlockRoom room{4'000'000, 1 << 20, 512, 1, true};
  const std::uint64_t even = 500'096, half = 250'112, place = 1 << 19;  // whole tiles
  const auto parts = [&](std::uint64_t host, std::optional<SmallParts> small) {
    return block_parts(room, host, small);
  };
  const auto sizes = [&](std::uint64_t host, std::optional<SmallParts> small) {
    std::vector<std::uint64_t> counts;
    for (const RowPart& part : parts(host, small)) counts.push_back(part.count);
    return counts;
  };
  const std::vector<std::uint64_t> all_even(8, even);
  CHECK(sizes(0, {}) == all_even);
  CHECK(sizes(0, SmallParts{false, 32 * mebibyte}) ==
        std::vector<std::uint64_t>{even, even, even, even, even, even, half, half, half, half});
  CHECK(sizes(0, SmallParts{true, 32 * mebibyte}) ==
        std::vector<std::uint64_t>{half, half, even, even, even, even, even, even, even});
  CHECK(sizes(4 * mebibyte, SmallParts{false, 32 * mebibyte}) == all_even);
  CHECK(sizes(0, SmallParts{true, 200 * mebibyte}) == all_even);
  // They share the place of the one that they stand for.
  const std::vector<RowPart> last = parts(0, SmallParts{false, 0}), first = parts(0, SmallParts{true, 0});
  CHECK(last[5] == RowPart{5 * even, even, place});
  CHECK(last[6] == RowPart{6 * even, half, 0});
  CHECK(last[7] == RowPart{7 * even - half, half, half});
  CHECK(last[8] == RowPart{7 * even, half, place});
  CHECK(last[9] == RowPart{4'000'000 - half, half, place + half});
  CHECK(first[0] == RowPart{0, half, 0});
  CHECK(first[1] == RowPart{even - half, half, half});
  CHECK(first[2] == RowPart{even, even, place});
  CHECK(first[3] == RowPart{2 * even, even, 0});
}
