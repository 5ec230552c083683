#include <algorithm>

#include "proxel/passes/merge_lists.h"
#include "proxel/passes/pack_tiles.h"
#include "proxel/passes/select_rows.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

// Distance keys of a few values only, so that ties are everywhere; NaN among them.
std::vector<std::uint32_t> make_distance_keys(std::size_t count, std::uint32_t kinds, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<std::uint32_t> keys(count);
  for (std::uint32_t& key : keys) {
    const auto dice = static_cast<std::uint32_t>(generator() % kinds);
    key = dice == 0 ? nan_distance_key : distance_key(static_cast<float>(dice), false);
  }
  return keys;
}

}  // namespace

TEST_CASE("select_rows on all threads is its reference, chunk after chunk") {
  std::uint32_t turn = 0;
  for (const std::uint32_t columns : {1u, 5u, 64u, 255u, 257u, 1000u, 3001u})
    for (const std::uint32_t k : {1u, 2u, 5u, 64u, 1024u})
      for (const std::uint32_t segments : {1u, 3u})
        for (const std::uint32_t kinds : {3u, 1000000u}) {
          CAPTURE(columns);
          CAPTURE(k);
          CAPTURE(segments);
          CAPTURE(kinds);
          constexpr std::uint32_t queries = 3;
          std::vector<std::uint64_t> lists(queries * segments * k + 2, 0x1234);
          SelectRowsParameters select{};
          select.keys_stride = (columns + 3) / 4 * 4;
          select.lists = address_of(lists.data());
          select.columns = columns;
          select.segments = segments;
          select.segment_columns = ((columns + segments - 1) / segments + 3) / 4 * 4;
          select.k = k;
          const std::vector<std::uint64_t> after = {key(1, columns / 2), key(2, 7), 0};
          if (turn % 2) select.after = address_of(after.data());
          select.after_stride = 1;
          for (std::uint32_t chunk = 0; chunk < 3; ++chunk) {
            CAPTURE(chunk);
            const auto keys = make_distance_keys(queries * select.keys_stride, kinds, ++turn);
            select.keys = address_of(keys.data());
            // Indices of the second chunk lie below the first's.
            select.first_index = std::array{10000u, 0u, 20000u}[chunk];
            select.first_chunk = chunk == 0;
            expect_same(make_select_rows(select, queries), lists);
          }
        }
}

TEST_CASE("select_rows takes a tie of the last key when its index is lower by one") {
  for (const std::uint32_t index : {104u, 106u}) {
    CAPTURE(index);
    std::vector<std::uint64_t> lists = {make_key(50, 7), make_key(60, 105)};
    const std::vector<std::uint32_t> keys = {60, 0, 0, 0};
    SelectRowsParameters select{};
    select.keys = address_of(keys.data());
    select.lists = address_of(lists.data());
    select.columns = 1;
    select.keys_stride = 4;
    select.first_index = index;
    select.segments = 1;
    select.segment_columns = 4;
    select.k = 2;
    expect_same(make_select_rows(select, 1), lists);
    CHECK(lists[1] == make_key(60, std::min(index, 105u)));
  }
}

TEST_CASE("merge_lists on all threads is its reference") {
  std::mt19937_64 generator(5);
  for (const std::uint32_t list_count : {1u, 2u, 17u})
    for (const std::uint32_t k : {1u, 5u, 64u}) {
      constexpr std::uint32_t queries = 5;
      std::vector<std::uint64_t> lists(queries * list_count * k);
      for (std::size_t list = 0; list < lists.size(); list += k) {
        const std::size_t filled = generator() % (k + 1);
        for (std::size_t i = 0; i < k; ++i) lists[list + i] = i < filled ? generator() : no_row_key;
        std::sort(lists.begin() + static_cast<std::ptrdiff_t>(list),
                  lists.begin() + static_cast<std::ptrdiff_t>(list + k));
      }
      std::vector<std::uint64_t> merged(queries * (k + 2), 0x1234);
      MergeListsParameters merge{};
      merge.lists = address_of(lists.data());
      merge.merged = address_of(merged.data());
      merge.list_count = list_count;
      merge.k = k;
      merge.merged_stride = k + 2;
      expect_same(make_merge_lists(merge, queries), merged);
    }
}

TEST_CASE("pack_tiles on all threads is its reference") {
  for (const std::uint32_t source_rows : {1u, 127u, 128u, 129u, 1024u, 1025u, 3000u}) {
    const auto source = make_values(source_rows, 5, Temper::specials, source_rows);
    std::vector<float> memory((128 + (source_rows + 127) / 128 * 128) * 5 + 7, 3.0f);
    PackTilesParameters pack{};
    pack.rows = tiled_rows(address_of(memory.data()), 128 + source_rows, 5);
    pack.source = address_of(source.data());
    pack.dimensions = 5;
    pack.first_row = 128;
    pack.source_rows = source_rows;
    expect_same(make_pack_tiles(pack), memory);
  }
}
