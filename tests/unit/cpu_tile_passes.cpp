#include "proxel/passes/tile_distance.h"
#include "proxel/passes/tile_nearest.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

struct Case {
  std::uint64_t n;
  std::uint64_t d;
  std::uint64_t queries;
  std::uint32_t width;
  Metric metric;
  Layout layout;
  Temper temper;
  std::uint32_t seed;
};

void check(const Case& c) {
  CAPTURE(c.n);
  CAPTURE(c.d);
  CAPTURE(c.queries);
  CAPTURE(c.width);
  CAPTURE(to_string(c.metric));
  CAPTURE(static_cast<int>(c.layout));
  CAPTURE(static_cast<int>(c.temper));
  const auto values = make_values(c.n, c.d, c.temper, c.seed);
  const auto queries = make_values(c.queries, c.d, c.temper, c.seed + 1);
  const Database database(values, c.layout);
  const auto dimensions = static_cast<std::uint32_t>(c.d);
  const auto query_count = static_cast<std::uint32_t>(c.queries);

  TileDistanceParameters distance{};
  distance.rows = database.rows;
  distance.queries = address_of(queries.data());
  distance.dimensions = dimensions;
  distance.query_count = query_count;
  distance.first_row = c.n > 128 && c.seed % 2 ? 128 : 0;
  distance.row_count = static_cast<std::uint32_t>(c.n) - distance.first_row;
  distance.keys_stride = (distance.row_count + 7) / 4 * 4;
  distance.query_stride = dimensions;
  std::vector<std::uint32_t> keys(c.queries * distance.keys_stride, 0xABCDu);
  distance.keys = address_of(keys.data());
  expect_same(make_tile_distance(distance, c.metric, c.width), keys);

  for (const std::uint32_t groups : {1u, 2u, 20u}) {
    CAPTURE(groups);
    std::vector<std::uint64_t> lists(c.queries * groups + 3, 0x1234);
    TileNearestParameters nearest{};
    nearest.rows = database.rows;
    nearest.queries = address_of(queries.data());
    nearest.lists = address_of(lists.data());
    nearest.dimensions = dimensions;
    nearest.query_count = query_count;
    nearest.groups = groups;
    nearest.query_stride = dimensions;
    nearest.first_index = 17;
    expect_same(make_tile_nearest(nearest, c.metric, c.width), lists);
  }
}

}  // namespace

TEST_CASE("tile passes on all threads are their references: awkward sizes") {
  std::uint32_t turn = 0;
  for (const std::uint64_t n : {1, 2, 3, 4, 5, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000})
    for (const std::uint64_t d : {1, 2, 5, 16, 33, 257})
      for (const Metric metric : accumulated_metrics) {
        ++turn;
        const std::uint64_t queries = std::array<std::uint64_t, 6>{1, 2, 3, 4, 7, 9}[turn % 6];
        check({n, d, queries, turn % 2 ? 8u : 16u, metric, all_layouts[turn / 2 % 3], all_tempers[turn / 3 % 3], turn});
      }
}

TEST_CASE("tile passes on all threads are their references: many queries, many pieces") {
  check({300, 5, 131, 8, Metric::l1, Layout::tiled, Temper::ties, 1});
  check({300, 5, 260, 16, Metric::ip, Layout::row_major, Temper::specials, 2});
  check({140, 1100, 6, 16, Metric::l2sq, Layout::column_major, Temper::uniform, 3});
  check({140, 1100, 6, 8, Metric::linf, Layout::tiled, Temper::specials, 4});
  // More row tiles than one thread takes at a time.
  check({6000, 2, 3, 8, Metric::l1, Layout::tiled, Temper::ties, 6});
}
