// Filters, and the places behind which searches continue, by hand.

#include <algorithm>
#include <cmath>

#include "passes/filter.hpp"
#include "passes/finish_bound.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/passes/after_keys.h"
#include "proxel/passes/scan_select.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// Rows 0 … 5 of one dimension at 0, 1, 2, 2, 4 and NaN; the query is at 0.
struct Line {
  Matrix<float> values{6, 1};
  Matrix<float> query{1, 1};
  Line() {
    const float rows[] = {0, 1, 2, 2, 4, not_a_number};
    std::copy(std::begin(rows), std::end(rows), values.data());
  }
};

std::uint64_t key_after(Metric metric, float distance, std::uint32_t index, std::uint32_t first_index = 0,
                        std::uint64_t before = 77) {
  const Line line;
  const Database database(line.values, Layout::row_major);
  std::uint64_t found = before;
  AfterKeysParameters after{};
  after.rows = database.rows;
  after.queries = address_of(line.query.data());
  after.distances = address_of(&distance);
  after.indices = address_of(&index);
  after.keys = address_of(&found);
  after.dimensions = 1;
  after.query_count = 1;
  after.query_stride = 1;
  after.pair_stride = 1;
  after.first_index = first_index;
  after.others = before == 77;
  reference::run(make_after_keys(after, metric));
  return found;
}

}  // namespace

TEST_CASE("bit i % 32 of word i / 32 is row i") {
  const std::uint32_t words[] = {0x80000001u, 0, 0x00000002u};
  const Filter filter(address_of(words), 0, 0);
  for (std::uint64_t row = 0; row < 96; ++row) {
    CAPTURE(row);
    CHECK(filter.allows(row) == (row == 0 || row == 31 || row == 65));
  }
  CHECK(filter.allows_any(0, 1));
  CHECK_FALSE(filter.allows_any(1, 30));
  CHECK(filter.allows_any(1, 31));
  CHECK_FALSE(filter.allows_any(32, 33));
  CHECK(filter.allows_any(32, 34));
  CHECK_FALSE(filter.allows_any(66, 30));
  const auto allowed = [&](std::uint64_t first, std::uint64_t count) {
    std::vector<std::uint64_t> rows;
    filter.for_each_allowed(first, count, [&](std::uint64_t i) { rows.push_back(first + i); });
    return rows;
  };
  CHECK(allowed(0, 96) == std::vector<std::uint64_t>{0, 31, 65});
  CHECK(allowed(1, 30).empty());
  CHECK(allowed(31, 34) == std::vector<std::uint64_t>{31});
  CHECK(allowed(31, 35) == std::vector<std::uint64_t>{31, 65});
  const Filter second(address_of(words), 1, 1);
  CHECK_FALSE(second.allows(31));
  CHECK(second.allows(33));
  const Filter none(0, 5, 3);
  CHECK(none.allows(1000));
  CHECK(none.allows_any(1000, 1));
}

TEST_CASE("a scan returns the rows that its filter allows, of the whole database's indices") {
  const Line line;
  const Database database(line.values, Layout::tiled);
  // Rows 30 … 35 of the database; 31, 33 and 35 are allowed.
  const std::uint32_t words[] = {0x80000000u, 0x0000000Au};
  std::vector<std::uint64_t> list(4, 7);
  ScanSelectParameters scan{};
  scan.rows = database.rows;
  scan.queries = address_of(line.query.data());
  scan.lists = address_of(list.data());
  scan.filter_bits = address_of(words);
  scan.dimensions = 1;
  scan.groups = 1;
  scan.k = 4;
  scan.first_index = 30;
  expect_same(make_scan_select(scan, Metric::l1, 1), list);
  CHECK(list == std::vector<std::uint64_t>{key(1, 31), key(2, 33), key(not_a_number, 35), no_row_key});
}

TEST_CASE("the largest value with a root of at most a bound") {
  CHECK(largest_with_root_at_most(-1) == -1);
  CHECK(largest_with_root_at_most(0) == 0);
  CHECK(largest_with_root_at_most(infinity) == infinity);
  CHECK(largest_with_root_at_most(std::numeric_limits<float>::max()) == std::numeric_limits<float>::max());
  for (const float bound : {1.0f, 1.5f, 2.0f, 0.1f, 3e-10f, 1e19f, 1e-30f}) {
    CAPTURE(bound);
    const float value = largest_with_root_at_most(bound);
    CHECK(std::sqrt(value) <= bound);
    CHECK(std::sqrt(std::nextafter(value, infinity)) > bound);
  }
}

TEST_CASE("a pair of any metric but l2 is the key as it stands") {
  CHECK(key_after(Metric::l1, 2, 2) == key(2, 2));
  CHECK(key_after(Metric::l1, -infinity, 0) == key(-infinity, 0));
  CHECK(key_after(Metric::ip, 5, 9) == key(5, 9, true));
  CHECK(key_after(Metric::l2sq, not_a_number, 5) == key(not_a_number, 5));
}

TEST_CASE("behind padding nothing follows") {
  for (const Metric metric : all_metrics)
    for (const float distance : {infinity, -infinity, 3.0f})
      CHECK(key_after(metric, distance, no_neighbor) == no_row_key);
}

TEST_CASE("a pair of l2 is its row's square where it is one") {
  CHECK(key_after(Metric::l2, 2, 3) == key(4, 3));
  CHECK(key_after(Metric::l2, not_a_number, 5) == key(not_a_number, 5));
  // Row 3 of the database is row 1 of these, at 1.
  CHECK(key_after(Metric::l2, 1, 3, 2) == key(1, 3));
}

TEST_CASE("a pair of l2 that is no row is the largest square with that root") {
  const float largest = largest_with_root_at_most(2);
  CHECK(largest > 4);
  CHECK(key_after(Metric::l2, 2, 1) == key(largest, 1));
  CHECK(key_after(Metric::l2, 2, 100) == key(largest, 100));
  CHECK(key_after(Metric::l2, -infinity, 0) == key(-infinity, 0));
}

TEST_CASE("later segments write the keys of their own rows alone") {
  CHECK(key_after(Metric::l2, 2, 3, 0, 5) == key(4, 3));
  CHECK(key_after(Metric::l2, 2, 3, 4, 5) == 5);
  CHECK(key_after(Metric::l2, 3, 3, 0, 5) == 5);
}

TEST_CASE("buffers of filters and pairs are checked before anything is recorded") {
  const auto device = open_device("cpu");
  const Line line;
  const Database database(line.values, Layout::tiled);
  const RowsSegment segment{database.rows, 0};
  SearchDescription description;
  description.rows = 6;
  description.dimensions = 1;
  description.queries = 2;
  description.k = 1;
  constexpr std::uint64_t bytes = 1 << 16;
  const auto memory = device->create_buffer(6 * bytes, MemoryKind::device);
  const auto part = [&](std::uint64_t number) { return BufferView(*memory, number * bytes, bytes); };
  const auto commands = device->create_commands(Timing::none);
  const BufferView words(*memory, 4 * bytes, 4);
  const auto fails_at = [&](const SearchBuffers& buffers, const char* subject) {
    const ScanPlan plan = ScanPlan::make(*device, description, {&segment, 1});
    commands->begin();
    try {
      plan.record(*commands, {&segment, 1}, buffers);
    } catch (const Error& error) {
      return error.code() == ErrorCode::invalid_argument && error.subject() == subject;
    }
    return false;
  };
  SearchBuffers buffers{part(0), part(1), part(2), part(3)};
  description.filter = FilterKind::shared;
  CHECK(fails_at(buffers, "filter buffer"));
  buffers.filter = words;
  CHECK_FALSE(fails_at(buffers, "filter buffer"));
  description.filter = FilterKind::per_query;
  CHECK(fails_at(buffers, "filter buffer"));
  description.filter = FilterKind::none;
  description.continued = true;
  CHECK(fails_at(buffers, "after distances buffer"));
  buffers.after = {part(5), words, 2};
  CHECK(fails_at(buffers, "after indices buffer"));
  buffers.after.stride = 0;
  CHECK(fails_at(buffers, "after stride"));
}
