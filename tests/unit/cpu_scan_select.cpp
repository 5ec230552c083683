#include "proxel/passes/scan_select.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

struct Case {
  std::uint64_t n;
  std::uint64_t d;
  std::uint64_t queries;
  std::uint32_t k;
  std::uint32_t groups;
  Metric metric;
  Layout layout;
  Temper temper;
  std::uint32_t seed;
};

// Compares scan_select with its reference, from the start and then behind a key.
void check(const Case& c) {
  CAPTURE(c.n);
  CAPTURE(c.d);
  CAPTURE(c.queries);
  CAPTURE(c.k);
  CAPTURE(c.groups);
  CAPTURE(to_string(c.metric));
  CAPTURE(static_cast<int>(c.layout));
  CAPTURE(static_cast<int>(c.temper));
  const auto values = make_values(c.n, c.d, c.temper, c.seed);
  const auto queries = make_values(c.queries, c.d, c.temper, c.seed + 1);
  const Database database(values, c.layout);
  std::vector<std::uint64_t> lists(c.queries * c.groups * c.k + 4, 0x1234);
  ScanSelectParameters scan{};
  scan.rows = database.rows;
  scan.queries = address_of(queries.data());
  scan.lists = address_of(lists.data());
  scan.dimensions = static_cast<std::uint32_t>(c.d);
  scan.groups = c.groups;
  scan.k = c.k;
  scan.query_stride = scan.dimensions;
  scan.first_index = 5;
  const auto count = static_cast<std::uint32_t>(c.queries);
  expect_same(make_scan_select(scan, c.metric, count), lists);

  std::vector<std::uint64_t> after(c.queries * 3);
  for (std::uint64_t query = 0; query < c.queries; ++query) after[query * 3] = lists[query * c.groups * c.k + c.k / 2];
  scan.after = address_of(after.data());
  scan.after_stride = 3;
  expect_same(make_scan_select(scan, c.metric, count), lists);
}

}  // namespace

TEST_CASE("scan_select on all threads is its reference: awkward sizes") {
  std::uint32_t turn = 0;
  for (const std::uint64_t n : {1, 2, 3, 4, 5, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 1600})
    for (const std::uint64_t d : {1, 2, 3, 4, 5, 16, 33, 257})
      for (const Metric metric : accumulated_metrics) {
        ++turn;
        check({n, d, 1 + turn % 6, std::array{1u, 2u, 5u, 64u, 2000u}[turn % 5], 1 + turn % 3, metric,
               all_layouts[turn / 2 % 3], all_tempers[turn / 3 % 3], turn});
      }
}

TEST_CASE("scan_select on all threads is its reference: every layout, temper and metric") {
  for (const Layout layout : all_layouts)
    for (const Temper temper : all_tempers)
      for (const Metric metric : accumulated_metrics)
        for (const std::uint32_t k : {1u, 10u, 700u}) check({1000, 7, 3, k, 2, metric, layout, temper, 99});
}

TEST_CASE("scan_select goes over dimensions in pieces and queries in blocks") {
  check({150, 1100, 5, 3, 1, Metric::l1, Layout::tiled, Temper::uniform, 1});
  check({150, 1100, 6, 3, 1, Metric::linf, Layout::column_major, Temper::specials, 2});
  check({150, 1100, 1, 3, 1, Metric::l2sq, Layout::row_major, Temper::uniform, 3});
  check({700, 3, 70, 3, 2, Metric::ip, Layout::tiled, Temper::ties, 4});
}

TEST_CASE("scan_select keeps up when every row is nearer than the one before") {
  Matrix<float> values(3000, 1);
  for (std::uint64_t row = 0; row < 3000; ++row) values(row, 0) = static_cast<float>(3000 - row);
  const Database database(values, Layout::tiled);
  const float query = 0;
  std::vector<std::uint64_t> lists(20);
  ScanSelectParameters scan{};
  scan.rows = database.rows;
  scan.queries = address_of(&query);
  scan.lists = address_of(lists.data());
  scan.dimensions = 1;
  scan.groups = 1;
  scan.k = 20;
  expect_same(make_scan_select(scan, Metric::l1, 1), lists);
  for (std::uint32_t rank = 0; rank < 20; ++rank) CHECK(lists[rank] == key(static_cast<float>(rank + 1), 2999 - rank));
}
