// How rows that pass through the device are divided: by ones around every limit.
#include "index/block_parts.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

using namespace proxel::index;

namespace {

constexpr std::uint64_t tile = 128, mebibyte = std::uint64_t{1} << 20;

// All rows are there, in order, in places that have room; the parts are of at most two sizes, the smaller ones last.
void check(const BlockRoom& room, std::uint64_t host_bytes, std::optional<std::uint64_t> least_tail) {
  CAPTURE(room.rows);
  CAPTURE(room.block_rows);
  CAPTURE(room.row_bytes);
  CAPTURE(host_bytes);
  const std::vector<RowPart> parts = block_parts(room, host_bytes, least_tail);
  REQUIRE(!parts.empty());
  std::uint64_t end = 0;
  const bool halves = parts.size() > 1 && parts[1].place != 0;
  const std::uint64_t largest = parts.front().count, smallest = parts.back().count;
  bool smaller = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const RowPart& part = parts[i];
    CHECK(part.first <= end);
    CHECK(part.first + part.count > end);
    end = part.first + part.count;
    CHECK(part.first % room.alignment == 0);
    CHECK(part.count <= (halves ? room.block_rows / 2 : room.block_rows));
    CHECK(part.place == (halves && i % 2 == 1 ? room.block_rows / 2 : 0));
    smaller = smaller || part.count < largest;
    CHECK(part.count == (smaller ? smallest : largest));
  }
  CHECK(end == room.rows);
  if (room.alignment == 1 && (!room.loads || !least_tail)) CHECK(!smaller);
  if (!smaller || !least_tail || !room.loads) return;
  CHECK(2 * smallest <= largest);
  CHECK(smallest * room.row_bytes >= std::max(*least_tail, 32 * host_bytes));
}

}  // namespace

TEST_CASE("parts of rows: all of them, by ones around tiles, blocks, halves and what a tail needs") {
  for (const std::uint64_t block : {tile, 2 * tile, 5 * tile, 16 * tile})
    for (const bool loads : {false, true})
      for (const std::uint64_t alignment : {std::uint64_t{1}, loads ? std::uint64_t{1} : tile})
        for (std::uint64_t rows = 1; rows < 40 * tile; rows += rows % tile < 2 || rows % tile > 125 ? 1 : 31)
          for (const std::optional<std::uint64_t> least_tail :
               {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(0),
                std::optional<std::uint64_t>(32 * tile)})
            check({rows, block, 28, alignment, loads}, rows % 3, least_tail);
  // Where there is room for two parts of 256 MiB, in which a million rows of 128 values are two.
  for (const std::uint64_t room : {383 * mebibyte, 384 * mebibyte, 511 * mebibyte, 512 * mebibyte, 1024 * mebibyte})
    for (const std::uint64_t rows :
         {1'000'000u, 1'048'576u, 1'048'577u, 2'621'439u, 2'621'440u, 2'621'441u, 4'000'000u})
      for (const std::uint64_t more : {0u, 127u, 128u, 129u})
        for (const std::uint64_t host : {std::uint64_t{0}, mebibyte, 2 * mebibyte, 4 * mebibyte, 9 * mebibyte})
          check({rows, room / 512 / tile * tile + more / tile * tile, 512, 1, true}, host, 32 * mebibyte);
}

TEST_CASE("parts of rows: a tail is a quarter of the last, or what the host brings for each asks for") {
  const BlockRoom room{4'000'000, 1 << 20, 512, 1, true};
  const auto sizes = [&](std::uint64_t host, std::optional<std::uint64_t> least_tail) {
    std::vector<std::uint64_t> counts;
    for (const RowPart& part : block_parts(room, host, least_tail)) counts.push_back(part.count);
    return counts;
  };
  const std::uint64_t even = 500'096, quarter = 125'056;  // whole tiles
  CHECK(sizes(0, {}) == std::vector<std::uint64_t>(8, even));
  CHECK(sizes(0, 32 * mebibyte) ==
        std::vector<std::uint64_t>{even, even, even, even, even, even, even, quarter, quarter, quarter, quarter});
  CHECK(sizes(3 * mebibyte, 32 * mebibyte) ==
        std::vector<std::uint64_t>{even, even, even, even, even, even, even, 196'608, 196'608, 196'608});
  CHECK(sizes(4 * mebibyte, 32 * mebibyte) == std::vector<std::uint64_t>(8, even));
  CHECK(sizes(0, 200 * mebibyte) == std::vector<std::uint64_t>(8, even));
}
