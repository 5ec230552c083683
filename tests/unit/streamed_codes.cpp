// Few queries of rows that stay in host memory are searched in codes on the device, to the bit as otherwise.
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "../data/support.hpp"
#include "../section_checksums.hpp"
#include "failing_device.hpp"
#include "proxel/index.hpp"
#include "proxel/screened.hpp"
#include "refused.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

// Room for codes, and as much for blocks.
IndexOptions streamed(const Matrix<float>& rows) {
  const auto dimensions = static_cast<std::uint32_t>(rows.columns());
  const std::uint64_t codes = ScreenedRows::bytes(rows.rows(), dimensions, false, ScreenOperand::codes);
  return {.method = Method::fused, .memory_limit = codes + std::max<std::uint64_t>(codes, 2 * 128 * dimensions * 4)};
}

bool by_codes(const Neighbors& found) {
  return std::ranges::any_of(found.report.rungs, [&](const RungCount& one) {
    return one.rung == "8-bit codes" && one.queries == found.indices.rows();
  });
}

}  // namespace

TEST_CASE(
    "codes of streamed rows: every metric that they serve, around whole tiles, four queries and their most "
    "neighbours") {
  const auto device = open_device("cpu");
  for (const std::uint64_t dimensions : {8u, 9u, 31u, 32u, 33u})
    for (const std::uint64_t rows : {639u, 640u, 641u, 769u}) {
      const Matrix<float> database = make_values(rows, dimensions, Temper::uniform, 1),
                          queries = make_values(9, dimensions, Temper::uniform, 2);
      Index whole(*device, database.view(), {.method = Method::scan});
      Index codes(*device, database.view(), streamed(database));
      REQUIRE(codes.block_rows() != 0);
      for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf, Metric::ip, Metric::cosine})
        for (const std::uint64_t k : {1u, 2u, 10u, 127u, 128u, 129u})
          for (const std::uint64_t count : {1u, 3u, 4u, 5u, 8u, 9u}) {
            CAPTURE(dimensions);
            CAPTURE(rows);
            CAPTURE(to_string(metric));
            CAPTURE(k);
            CAPTURE(count);
            if (!codes.supports(metric, k)) continue;
            const MatrixView<float> some = queries.view().slice(0, count);
            const Neighbors found = codes.search(some, k, metric);
            check_same(found, whole.search(some, k, metric));
            if (k <= 128) CHECK(by_codes(found) == (metric != Metric::cosine));
          }
    }
}

namespace {

// A device of its own, which the choice of a method is made for as for others.
class Discrete : public FailingDevice {
 public:
  std::uint64_t most = UINT64_MAX;  // bytes of a buffer

  Discrete() { info_.capabilities.runs_on_host = false; }
  void have_memory(std::uint64_t bytes) { info_.capabilities.memory_bytes = bytes; }
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override {
    has_no_memory = bytes > most;
    return FailingDevice::create_buffer(bytes, kind);
  }
};

constexpr std::uint64_t d = 24;

}  // namespace

TEST_CASE(
    "codes of streamed rows: filters, rows that were removed, pages, queries themselves, and what goes back to "
    "blocks") {
  const auto device = open_device("cpu");
  constexpr std::uint64_t n = 2000;
  const Matrix<float> database = make_values(n, d, Temper::uniform, 1),
                      queries = make_values(140, d, Temper::uniform, 2);
  Index scan(*device, database.view(), {.method = Method::scan}), codes(*device, database.view(), streamed(database));
  REQUIRE(codes.block_rows() != 0);
  const auto compare = [&](const MatrixView<float>& asked, std::uint64_t k, Metric metric,
                           const SearchOptions& with = {}) {
    const Neighbors found = codes.search(asked, k, metric, with);
    check_same(found, scan.search(asked, k, metric, with));
    return by_codes(found);
  };
  const MatrixView<float> some = queries.view().slice(10, 9);
  // Every other row, for all queries and for each.
  Matrix<std::uint32_t> filters(9, (n + 31) / 32);
  for (std::uint64_t i = 0; i < 9; ++i)
    std::fill_n(&filters(i, 0), filters.columns(), i % 2 == 0 ? 0xAAAAAAAAu : 0x55555555u);
  const auto walk = [&] {
    for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf, Metric::ip}) {
      CAPTURE(to_string(metric));
      CHECK(compare(some, 5, metric));
      CHECK(compare(some, 5, metric, {.filter = filters.view()}));
      CHECK(compare(some, 5, metric, {.filter = filters.view().slice(0, 1)}));
      CHECK(compare(some, 5, metric, {.ordered = true}));
    }
  };
  walk();
  CHECK(compare(queries.view().slice(0, 128), 3, Metric::l2sq));
  CHECK(!compare(queries.view().slice(0, 129), 3, Metric::l2sq));  // the rows pass sooner
  const Neighbors before = scan.search(some, 5, Metric::l2sq);
  compare(some, 5, Metric::l2sq, {.after = &before});
  const std::vector<std::uint32_t> self(9, 77);
  compare(some, 5, Metric::l2sq, {.self = self});
  CHECK(codes.range_search(some, 1.5f, Metric::l2).indices == scan.range_search(some, 1.5f, Metric::l2).indices);
  CHECK(compare(some, 5, Metric::l2sq));
  // Three rows that may be found are fewer than a threshold needs; searches under filters are counted apart.
  Matrix<std::uint32_t> three(1, (n + 31) / 32);
  three(0, 2) = 7;
  for (int again = 0; again < 6; ++again) CHECK(!compare(some, 5, Metric::l2sq, {.filter = three.view()}));
  CHECK(!compare(some, 5, Metric::l2sq, {.filter = filters.view().slice(0, 1)}));
  CHECK(compare(some, 5, Metric::l2sq));
  codes = Index(*device, database.view(), streamed(database));
  for (Index* one : {&scan, &codes}) one->remove(std::array{0u, 127u, 128u, 1999u});
  walk();
  CHECK(compare(queries.view().slice(0, 1), 128, Metric::l1));
}

TEST_CASE("codes of streamed rows: ties, special values, huge offsets and rows in an order are found as by the scan") {
  const auto device = open_device("cpu");
  constexpr std::uint64_t n = 1500;
  for (const unsigned kind : {0u, 1u, 2u, 3u, 4u}) {
    CAPTURE(kind);
    Matrix<float> database = make_values(n, d,
                                         kind == 1   ? Temper::ties
                                         : kind == 2 ? Temper::specials
                                                     : Temper::uniform,
                                         1);
    Matrix<float> queries = make_values(7, d, kind == 2 ? Temper::specials : Temper::uniform, 2);
    if (kind == 3)
      for (Matrix<float>* values : {&database, &queries})
        for (std::uint64_t i = 0; i < values->rows() * d; ++i) values->data()[i] += 1e6f;
    if (kind == 4)  // far ones first
      for (std::uint64_t row = 0; row < n; ++row)
        for (std::uint64_t i = 0; i < d; ++i) database(row, i) *= static_cast<float>(n - row);
    Index scan(*device, database.view(), {.method = Method::scan});
    for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::linf, Metric::ip}) {
      CAPTURE(to_string(metric));
      Index codes(*device, database.view(), streamed(database));
      REQUIRE(codes.block_rows() != 0);
      if (kind == 0) CHECK(by_codes(codes.search(queries.view(), 1, metric)));
      for (int again = 0; again < 3; ++again)
        for (const std::uint64_t k : {1u, 20u})
          check_same(codes.search(queries.view(), k, metric), scan.search(queries.view(), k, metric));
    }
  }
}

TEST_CASE("codes of streamed rows are of a saved index's too, and damaged rows are found as they are packed") {
  const auto device = open_device("cpu");
  const testing::TemporaryFolder folder;
  const std::string path = folder.file("a.index");
  const Matrix<float> database = make_values(2000, d, Temper::uniform, 1),
                      queries = make_values(5, d, Temper::uniform, 2);
  Index scan(*device, database.view(), {.method = Method::scan});
  scan.save(path);
  Index codes = Index::load(*device, path, streamed(database));
  REQUIRE(codes.block_rows() != 0);
  const Neighbors expected = scan.search(queries.view(), 5, Metric::l2sq);
  for (int again = 0; again < 2; ++again) {
    const Neighbors found = codes.search(queries.view(), 5, Metric::l2sq);
    check_same(found, expected);
    CHECK(by_codes(found));
  }
  std::string bytes = testing::read_bytes(path);
  bytes[testing::section_start(bytes, testing::rows_section) + 2000 * d * 4 - 1] ^= 1;
  folder.write("a.index", bytes);
  codes = Index::load(*device, path, streamed(database));
  for (int again = 0; again < 2; ++again)
    CHECK_THROWS_WITH_AS(codes.search(queries.view(), 5, Metric::l2sq), doctest::Contains("is damaged between bytes"),
                         Error);
}

TEST_CASE(
    "codes of streamed rows: a search of more neighbours than they serve passes the rows, and the next has them "
    "again") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(4200, 33, Temper::uniform, 1),
                      queries = make_values(4, 33, Temper::uniform, 2);
  Index whole(*device, database.view(), {.method = Method::scan});
  Index codes(*device, database.view(), streamed(database));
  for (const std::uint64_t k : {128u, 129u, 256u, 257u, 100u, 700u, 100u, 1024u, 256u}) {
    CAPTURE(k);
    const Neighbors found = codes.search(queries.view(), k, Metric::l2sq);
    check_same(found, whole.search(queries.view(), k, Metric::l2sq));
    CHECK(by_codes(found) == (k <= 256));
  }
}

TEST_CASE("codes of streamed rows are of rows that lie apart, too") {
  const auto device = open_device("cpu");
  const Matrix<float> wide = make_values(1000, 2 * d, Temper::uniform, 1),
                      queries = make_values(5, d, Temper::uniform, 2);
  for (const bool columns : {false, true}) {
    const MatrixView<float> apart{wide.data(), 1000, d, 2 * d, columns ? 2u : 1u};
    Index scan(*device, apart, {.method = Method::scan});
    Index codes(*device, apart, streamed(make_values(1000, d, Temper::uniform, 1)));
    REQUIRE(codes.block_rows() != 0);
    const Neighbors found = codes.search(queries.view(), 5, Metric::l2);
    check_same(found, scan.search(queries.view(), 5, Metric::l2));
    CHECK(by_codes(found));
  }
}

TEST_CASE(
    "codes of streamed rows are made for the second search that they serve, where the choice of a method is free") {
  Discrete device;
  const Matrix<float> database = make_values(2000, d, Temper::uniform, 1),
                      queries = make_values(3, d, Temper::uniform, 2);
  IndexOptions options = streamed(database);
  options.method = Method::automatic;
  Index codes(device, database.view(), options);
  REQUIRE(codes.block_rows() != 0);
  const auto search = [&](Metric metric) { return by_codes(codes.search(queries.view(), 5, metric)); };
  CHECK(!search(Metric::l2sq));
  CHECK(search(Metric::l2sq));
  CHECK(!search(Metric::l1));
  CHECK(search(Metric::l2));
  CHECK(!search(Metric::cosine));
  CHECK(!search(Metric::cosine));
  CHECK(search(Metric::l1));
  // Codes have no room beside blocks of half of the limit.
  for (const std::uint64_t less : {1u, 2u}) {
    options.memory_limit = streamed(database).memory_limit - less;
    Index other(device, database.view(), options);
    other.search(queries.view(), 5, Metric::l2sq);
    CHECK(by_codes(other.search(queries.view(), 5, Metric::l2sq)) == (less == 1));
  }
  // Nor have they where the limit is more than copies may take of the device; blocks are what they are without codes.
  options.memory_limit = streamed(database).memory_limit;
  device.have_memory(options.memory_limit);
  Index without(device, database.view(), options);
  options.method = Method::scan;
  CHECK(without.block_rows() == Index(device, database.view(), options).block_rows());
  for (int again = 0; again < 3; ++again) CHECK(!by_codes(without.search(queries.view(), 5, Metric::l2sq)));
  Index scan(device, database.view(), options);
  for (int again = 0; again < 3; ++again) CHECK(!by_codes(scan.search(queries.view(), 5, Metric::l2sq)));
}

TEST_CASE(
    "codes of streamed rows: those for another metric take the place of those that there are, and one query that is "
    "not decided costs its search alone") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(2000, d, Temper::uniform, 1);
  Matrix<float> queries = make_values(100, d, Temper::uniform, 2);
  Index scan(*device, database.view(), {.method = Method::scan}), codes(*device, database.view(), streamed(database));
  for (int again = 0; again < 2; ++again)
    for (const Metric metric : {Metric::l2sq, Metric::ip, Metric::l1, Metric::l2}) {
      const Neighbors found = codes.search(queries.view(), 5, metric);
      check_same(found, scan.search(queries.view(), 5, metric));
      CHECK(by_codes(found));
    }
  const float value = queries(50, 3);
  queries(50, 3) = std::numeric_limits<float>::quiet_NaN();
  const Neighbors found = codes.search(queries.view(), 5, Metric::l2sq);
  check_same(found, scan.search(queries.view(), 5, Metric::l2sq));
  CHECK(!by_codes(found));
  queries(50, 3) = value;
  CHECK(by_codes(codes.search(queries.view(), 5, Metric::l2sq)));
}

TEST_CASE("codes of streamed rows: progress never goes back and ends their packing, and so does memory that ends") {
  const Matrix<float> database = make_values(2000, d, Temper::uniform, 1),
                      queries = make_values(9, d, Temper::uniform, 2);
  Discrete device;
  Index scan(device, database.view(), {.method = Method::scan});
  const Neighbors expected = scan.search(queries.view(), 5, Metric::l2sq);
  {
    Index codes(device, database.view(), streamed(database));
    struct Enough {};
    for (std::uint64_t least = 1; least < 2000; least *= 2) {
      std::uint64_t calls = 0;
      const auto end = [&](std::uint64_t, std::uint64_t) {
        if (++calls > least) throw Enough();
      };
      try {
        check_same(codes.search(queries.view(), 5, Metric::l2sq, {.progress = end}), expected);
        break;
      } catch (const Enough&) {
      }
    }
    std::uint64_t last = 0;
    const auto look = [&](std::uint64_t done, std::uint64_t total) {
      CHECK(done >= last);
      CHECK(total == 2000);
      last = done;
    };
    const Neighbors found = codes.search(queries.view(), 5, Metric::l2sq, {.progress = look});
    check_same(found, expected);
    CHECK(by_codes(found));
    CHECK(last == 2000);
  }
  Index codes(device, database.view(), streamed(database));
  device.most = 2000 * d - 1;  // below the codes, above all else
  Neighbors found = codes.search(queries.view(), 5, Metric::l2sq);
  check_same(found, expected);
  CHECK(!by_codes(found));
  device.most = UINT64_MAX;
  found = codes.search(queries.view(), 5, Metric::l2sq);  // it is not tried again
  check_same(found, expected);
  CHECK(!by_codes(found));
}
