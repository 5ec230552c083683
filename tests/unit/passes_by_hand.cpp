// The references against values worked out by hand.

#include <algorithm>
#include <cmath>

#include "proxel/passes/merge_lists.h"
#include "proxel/passes/pack_tiles.h"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/select_rows.h"
#include "proxel/passes/tile_distance.h"
#include "proxel/passes/tile_nearest.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Matrix<float> matrix(std::initializer_list<std::initializer_list<float>> rows) {
  Matrix<float> result(rows.size(), rows.begin()->size());
  float* to = result.data();
  for (const auto& row : rows) to = std::copy(row.begin(), row.end(), to);
  return result;
}

// Distance of one query to one row, through the whole of scan_select.
float distance(Metric metric, const Matrix<float>& query, const Matrix<float>& row) {
  const Database database(row, Layout::tiled);
  std::uint64_t list = 0;
  ScanSelectParameters scan{};
  scan.rows = database.rows;
  scan.queries = address_of(query.data());
  scan.lists = address_of(&list);
  scan.dimensions = static_cast<std::uint32_t>(query.columns());
  scan.groups = 1;
  scan.k = 1;
  reference::run(make_scan_select(scan, metric, 1));
  return value_of_distance_key(distance_key_of(list), largest_first(metric));
}

}  // namespace

TEST_CASE("metrics of small vectors") {
  const auto query = matrix({{1, -2, 3}});
  const auto row = matrix({{4, 2, 1}});
  CHECK(distance(Metric::l1, query, row) == 9);
  CHECK(distance(Metric::l2sq, query, row) == 29);
  CHECK(distance(Metric::l2, query, row) == 29);
  CHECK(distance(Metric::linf, query, row) == 4);
  CHECK(distance(Metric::ip, query, row) == 3);
}

TEST_CASE("dimensions are added in order, each sum rounded") {
  // 2^24 + 1 rounds back to 2^24, twice; the other way round the sum is 2^24 + 2.
  const auto zeros = matrix({{0, 0, 0}});
  CHECK(distance(Metric::l1, matrix({{16777216, 1, 1}}), zeros) == 16777216);
  CHECK(distance(Metric::l1, matrix({{1, 1, 16777216}}), zeros) == 16777218);
}

TEST_CASE("products are rounded before they are added") {
  // (1 + 2^-12)^2 rounds to 1 + 2^-11; a fused operation would leave 2^-24.
  const float x = 1 + std::ldexp(1.0f, -12);
  const float square = 1 + std::ldexp(1.0f, -11);
  CHECK(distance(Metric::ip, matrix({{-1, x}}), matrix({{square, x}})) == 0);
}

TEST_CASE("NaN stays, wherever it comes in") {
  for (const Metric metric : accumulated_metrics) {
    CHECK(std::isnan(distance(metric, matrix({{not_a_number, 1, 2}}), matrix({{0, 0, 0}}))));
    CHECK(std::isnan(distance(metric, matrix({{0, 1, 2}}), matrix({{0, 0, not_a_number}}))));
    CHECK(std::isnan(distance(metric, matrix({{infinity, 0}}), matrix({{infinity, -infinity}}))));
  }
}

TEST_CASE("scan_select keeps each group's nearest rows, ties by index, padded") {
  // Rows 0 … 1023 belong to groups 0 and 1 in turn, 512 at a time.
  Matrix<float> values(600, 1);
  for (std::uint64_t row = 0; row < 600; ++row) values(row, 0) = 100;
  values(3, 0) = 2;
  values(7, 0) = -2;
  values(511, 0) = 1;
  values(512, 0) = 0;
  const Database database(values, Layout::tiled);
  const float query = 0;
  std::vector<std::uint64_t> lists(2 * 3, 0);
  ScanSelectParameters scan{};
  scan.rows = database.rows;
  scan.queries = address_of(&query);
  scan.lists = address_of(lists.data());
  scan.dimensions = 1;
  scan.groups = 2;
  scan.k = 3;
  scan.first_index = 1000;
  reference::run(make_scan_select(scan, Metric::l1, 1));
  const std::vector<std::uint64_t> first = {key(1, 1511), key(2, 1003),   key(2, 1007),
                                            key(0, 1512), key(100, 1513), key(100, 1514)};
  CHECK(lists == first);

  // The search goes on behind a key, index and all.
  const std::uint64_t after = key(2, 1003);
  scan.after = address_of(&after);
  reference::run(make_scan_select(scan, Metric::l1, 1));
  const std::vector<std::uint64_t> second = {key(2, 1007),   key(100, 1000), key(100, 1001),
                                             key(100, 1513), key(100, 1514), key(100, 1515)};
  CHECK(lists == second);

  scan.after = 0;
  scan.rows.count = 2;
  reference::run(make_scan_select(scan, Metric::l1, 1));
  const std::vector<std::uint64_t> padded = {key(100, 1000), key(100, 1001), no_row_key,
                                             no_row_key,     no_row_key,     no_row_key};
  CHECK(lists == padded);
}

TEST_CASE("scan_select with tickets merges and decodes as well") {
  Matrix<float> values(700, 1);
  for (std::uint64_t row = 0; row < 700; ++row) values(row, 0) = static_cast<float>(row);
  const Database database(values, Layout::row_major);
  const auto queries = matrix({{640}, {-3}});
  std::vector<std::uint64_t> lists(2 * 2 * 3);
  std::vector<std::uint32_t> indices(6);
  std::vector<float> distances(6);
  std::vector<std::uint32_t> tickets(2, 0);
  ScanSelectParameters scan{};
  scan.rows = database.rows;
  scan.queries = address_of(queries.data());
  scan.lists = address_of(lists.data());
  scan.tickets = address_of(tickets.data());
  scan.indices = address_of(indices.data());
  scan.distances = address_of(distances.data());
  scan.dimensions = 1;
  scan.groups = 2;
  scan.k = 3;
  scan.query_stride = 1;
  scan.finish = finish_root;
  const Pass pass = make_scan_select(scan, Metric::l2, 2);
  const auto check = [&] {
    CHECK(indices == std::vector<std::uint32_t>{640, 639, 641, 0, 1, 2});
    CHECK(distances == std::vector<float>{0, 1, 1, 3, 4, 5});
    CHECK(tickets == std::vector<std::uint32_t>{0, 0});
  };
  reference::run(pass);
  check();
  run_fast(pass, [&] {
    indices.assign(6, 77);
    distances.assign(6, -1);
  }, check);
}

TEST_CASE("merge_lists keeps the smallest of all lists of a query") {
  const std::vector<std::uint64_t> lists = {1, 5,          2, 3,          no_row_key, no_row_key,  // query 0
                                            9, no_row_key, 8, no_row_key, 7,          10};         // query 1
  std::vector<std::uint64_t> merged(5, 77);
  MergeListsParameters merge{};
  merge.lists = address_of(lists.data());
  merge.merged = address_of(merged.data());
  merge.list_count = 3;
  merge.k = 2;
  merge.merged_stride = 3;
  reference::run(make_merge_lists(merge, 2));
  CHECK(merged == std::vector<std::uint64_t>{1, 2, 77, 7, 8});
}

TEST_CASE("select_rows merges a running list with a segment's columns") {
  const std::vector<std::uint32_t> keys = {50, 10, 30, 10, 20, 60, 0, 0,   // query 0; 6 columns
                                           5,  5,  5,  5,  1,  2,  0, 0};  // query 1
  std::vector<std::uint64_t> lists = {make_key(15, 2), no_row_key,     make_key(70, 1), make_key(80, 1),
                                      make_key(5, 0),  make_key(6, 0), make_key(1, 9),  no_row_key};
  SelectRowsParameters select{};
  select.keys = address_of(keys.data());
  select.lists = address_of(lists.data());
  select.columns = 6;
  select.keys_stride = 8;
  select.first_index = 100;
  select.segments = 2;
  select.segment_columns = 4;
  select.k = 2;
  reference::run(make_select_rows(select, 2));
  CHECK(lists == std::vector<std::uint64_t>{make_key(10, 101), make_key(10, 103), make_key(20, 104), make_key(60, 105),
                                            make_key(5, 0), make_key(5, 100), make_key(1, 9), make_key(1, 104)});

  select.first_chunk = 1;
  const std::vector<std::uint64_t> after = {make_key(10, 101), make_key(1, 104)};
  select.after = address_of(after.data());
  select.after_stride = 1;
  reference::run(make_select_rows(select, 2));
  CHECK(lists == std::vector<std::uint64_t>{make_key(10, 103), make_key(30, 102), make_key(20, 104), make_key(60, 105),
                                            make_key(5, 100), make_key(5, 101), make_key(2, 105), no_row_key});
}

TEST_CASE("tile_distance and tile_nearest see the rows they are told of") {
  Matrix<float> values(130, 2);
  for (std::uint64_t row = 0; row < 130; ++row) {
    values(row, 0) = static_cast<float>(row);
    values(row, 1) = 1;
  }
  const Database database(values, Layout::column_major);
  const auto queries = matrix({{129, 1}, {0, 3}});

  std::vector<std::uint32_t> keys(8, 42);
  TileDistanceParameters distances{};
  distances.rows = database.rows;
  distances.queries = address_of(queries.data());
  distances.keys = address_of(keys.data());
  distances.dimensions = 2;
  distances.query_count = 2;
  distances.first_row = 128;
  distances.row_count = 2;
  distances.keys_stride = 4;
  distances.query_stride = 2;
  reference::run(make_tile_distance(distances, Metric::l1, 8));
  CHECK(keys == std::vector<std::uint32_t>{distance_key(1, false), distance_key(0, false), 42, 42,
                                           distance_key(130, false), distance_key(131, false), 42, 42});

  // Tiles of 64 rows go to four groups in turn; the last group meets none.
  std::vector<std::uint64_t> lists(8, 0);
  TileNearestParameters nearest{};
  nearest.rows = database.rows;
  nearest.queries = address_of(queries.data());
  nearest.lists = address_of(lists.data());
  nearest.dimensions = 2;
  nearest.query_count = 2;
  nearest.groups = 4;
  nearest.query_stride = 2;
  nearest.first_index = 10;
  reference::run(make_tile_nearest(nearest, Metric::l1, 8));
  CHECK(lists == std::vector<std::uint64_t>{key(66, 73), key(2, 137), key(0, 139), no_row_key, key(2, 10), key(66, 74),
                                            key(130, 138), no_row_key});
}

TEST_CASE("pack_tiles fills the rest of the last tile with zeros") {
  const auto source = make_values(130, 3, Temper::uniform, 5);
  std::vector<float> memory(3 * 128 * 3, 9.0f);
  PackTilesParameters pack{};
  pack.rows = tiled_rows(address_of(memory.data()), 258, 3);
  pack.source = address_of(source.data());
  pack.dimensions = 3;
  pack.first_row = 128;
  pack.source_rows = 130;
  reference::run(make_pack_tiles(pack));
  for (std::size_t i = 0; i < 384; ++i) REQUIRE(memory[i] == 9.0f);
  CHECK(memory[384 + 0 * 128 + 5] == source(5, 0));
  CHECK(memory[384 + 2 * 128 + 127] == source(127, 2));
  CHECK(memory[768 + 1 * 128 + 1] == source(129, 1));
  CHECK(memory[768 + 1 * 128 + 2] == 0.0f);
  CHECK(memory[768 + 2 * 128 + 127] == 0.0f);
}
