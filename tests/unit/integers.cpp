// Rows and queries that are integers of a byte: thresholds come from products of integers, as long as they hold.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "failing_device.hpp"
#include "index/live_filter.hpp"
#include "index/query_values.hpp"
#include "index/searcher.hpp"
#include "index/stored_integers.hpp"
#include "passes/memory.hpp"
#include "proxel/index.hpp"
#include "proxel/screened.hpp"
#include "refused.hpp"
#include "session/run_once.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

Matrix<float> integers(std::uint64_t rows, std::uint64_t columns, int least, int most, std::uint32_t seed) {
  std::mt19937 random(seed);
  Matrix<float> matrix(rows, columns);
  for (std::uint64_t i = 0; i < rows * columns; ++i)
    matrix.data()[i] = static_cast<float>(least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1)));
  return matrix;
}

QueryValues values_of_row(std::vector<float> values) {
  return index::values_of(MatrixView<float>(values.data(), 1, values.size()));
}

constexpr Metric metrics[] = {Metric::l2sq, Metric::l2, Metric::ip};

}  // namespace

TEST_CASE("what values of queries are, by ones around the ends of a byte") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  CHECK(values_of_row({0, 127}) == QueryValues::either);
  CHECK(values_of_row({-0.0f}) == QueryValues::either);
  CHECK(values_of_row({0, 128}) == QueryValues::uint8);
  CHECK(values_of_row({255, 3}) == QueryValues::uint8);
  CHECK(values_of_row({-1, 127}) == QueryValues::int8);
  CHECK(values_of_row({-128, 0}) == QueryValues::int8);
  for (const std::vector<float>& others : {std::vector<float>{-1, 128},
                                           {-129},
                                           {256},
                                           {0.5f},
                                           {127.5f},
                                           {nan},
                                           {1, infinity},
                                           {-infinity},
                                           {1e30f},
                                           {1e-40f},
                                           {3 + 0x1p-22f},
                                           {-1e-7f},
                                           {255 - 0x1p-16f}})
    CHECK(values_of_row(others) == QueryValues::any);
  // Every other column of rows that lie apart.
  const Matrix<float> apart = integers(6, 10, 0, 255, 1);
  Matrix<float> spoilt(6, 10);
  for (std::uint64_t i = 0; i < 60; ++i) spoilt.data()[i] = i % 2 == 0 ? apart.data()[i] : 0.25f;
  CHECK(index::values_of(MatrixView<float>(spoilt.data(), 3, 5, 20, 2)) != QueryValues::any);
  CHECK(index::values_of(MatrixView<float>(spoilt.data() + 1, 3, 5, 20, 2)) == QueryValues::any);
  CHECK(index::values_of(MatrixView<float>(spoilt.data(), 0, 10)) == QueryValues::either);
}

TEST_CASE("integers decide whatever they are stored as, with filters and without removed rows") {
  const auto device = open_device("cpu");
  struct Range {
    int least, most;
    ElementType type;
  };
  for (const auto& [least, most, type] : {Range{0, 255, ElementType::uint8}, Range{-128, 127, ElementType::int8},
                                          Range{0, 127, ElementType::uint8}, Range{0, 127, ElementType::int8}}) {
    const Matrix<float> database = integers(700, 33, least, most, 1), queries = integers(9, 33, least, most, 2);
    Index scan(*device, database.view(), {.method = Method::scan});
    Index index(*device, database.view(), {.method = Method::fused});
    Index stored(*device, database.view(), {.method = Method::fused, .storage = type});
    for (const bool removed : {false, true}) {
      if (removed) {
        const std::vector<std::uint32_t> some = {0, 5, 127, 128, 699};
        for (Index* one : {&scan, &index}) one->remove(some);
      }
      for (const Metric metric : metrics) {
        CAPTURE(to_string(metric));
        const Neighbors expected = scan.search(queries.view(), 12, metric),
                        found = index.search(queries.view(), 12, metric);
        check_same(found, expected);
        CHECK(decided(found.report) == "8-bit integers 9");
        if (removed) continue;
        const Neighbors narrow = stored.search(queries.view(), 12, metric);
        check_same(narrow, expected);
        CHECK(decided(narrow.report) == "8-bit integers 9");
      }
    }
  }
}

namespace {

// Rows of bytes in parts of 256, and then of as many as there are before.
class CopyInParts {
 public:
  CopyInParts(Device& device, const Matrix<float>& database)
      : device_(device),
        rows_(database.rows()),
        columns_(static_cast<std::uint32_t>(database.columns())),
        on_device_(device.create_buffer(rows_ * columns_ * 4, MemoryKind::device)),
        live_(rows_),
        copy_(device, rows_, columns_, {.method = Method::fused, .storage = ElementType::uint8}, 256) {
    std::memcpy(passes::at<float>(on_device_->address()), database.data(), on_device_->bytes());
  }

  // @param block  rows that are packed at a time
  void pack(Metric metric, std::uint64_t block) {
    REQUIRE(copy_.make_room(metric));
    copy_.begin_packing(metric);
    for (std::uint64_t first = 0; first < rows_; first += block)
      session::run_once(device_, [&](Recording& recording) {
        copy_.record_pack(
            recording, metric,
            row_major_rows(on_device_->address() + first * columns_ * 4, std::min(block, rows_ - first), columns_),
            first);
      });
    copy_.end_packing(metric);
  }

  Neighbors search(const Matrix<float>& queries, std::uint64_t k, Metric metric, const SearchOptions& options) {
    index::LiveFilter filter(live_, options.filter);
    SearchDescription wanted = index::describe_one(rows_, columns_, metric, k);
    wanted.queries = static_cast<std::uint32_t>(queries.rows());
    wanted.filter = filter.kind();
    REQUIRE(copy_.serves(wanted, queries.view()));
    std::optional<Neighbors> found = copy_.search(queries.view(), wanted, filter, options.progress);
    REQUIRE(found);
    return *std::move(found);
  }

 private:
  Device& device_;
  std::uint64_t rows_;
  std::uint32_t columns_;
  std::unique_ptr<Buffer> on_device_;
  index::LiveRows live_;
  index::StoredIntegers copy_;
};

}  // namespace

TEST_CASE("many rows of integers are searched in parts, each bounded by those before it") {
  const auto device = open_device("cpu");
  const std::uint64_t columns = 33;
  for (const bool far_first : {false, true})
    for (const std::uint64_t rows : {511, 512, 513, 767, 768, 769, 1023, 1024, 1025, 1537, 2100}) {
      CAPTURE(rows);
      CAPTURE(far_first);
      Matrix<float> database = integers(rows, columns, 0, 255, 1);
      const Matrix<float> queries = integers(9, columns, 0, 100, 2);
      // Rows of the last part, which are near, are within the distances of all before them.
      for (std::uint64_t i = 0; far_first && i < rows; ++i)
        for (std::uint64_t j = 0; j < columns; ++j)
          database(i, j) = std::floor(database(i, j) / 8) + (i < rows - rows / 3 ? 220.0f : 0.0f);
      Index scan(*device, database.view(), {.method = Method::scan});
      CopyInParts copy(*device, database);
      std::vector<std::uint32_t> bits(9 * filter_words(rows));
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = 0x9E3779B9u * static_cast<std::uint32_t>(i + 1);
      for (const Metric metric : metrics) {
        copy.pack(metric, 384);  // blocks of other sizes than parts
        for (const std::uint64_t k : {1, 12, 31})
          for (const std::uint64_t filters : {0, 1, 9}) {
            CAPTURE(to_string(metric));
            CAPTURE(k);
            CAPTURE(filters);
            SearchOptions options;
            if (filters != 0) options.filter = {bits.data(), filters, filter_words(rows)};
            std::uint64_t told = 0;
            options.progress = [&](std::uint64_t done, std::uint64_t total) {
              CHECK(done >= told);
              CHECK(total == rows);
              told = done;
            };
            const Neighbors found = copy.search(queries, k, metric, options);
            CHECK(told == rows);
            options.progress = {};
            check_same(found, scan.search(queries.view(), k, metric, options));
            CHECK(decided(found.report) == "8-bit integers 9");
          }
      }
    }
}

TEST_CASE("a filter that leaves nothing of the first parts is served by the others") {
  const auto device = open_device("cpu");
  constexpr std::uint64_t rows = 2100, columns = 33, k = 12;
  const Matrix<float> database = integers(rows, columns, 0, 255, 1), queries = integers(9, columns, 0, 255, 2);
  Index scan(*device, database.view(), {.method = Method::scan});
  CopyInParts copy(*device, database);
  copy.pack(Metric::l2sq, rows);
  // None of the first two parts, few of them, none but the first's, and all.
  for (const auto& [first, last] : {std::pair{600u, 2100u}, {250u, 2100u}, {0u, 250u}, {0u, 2100u}}) {
    CAPTURE(first);
    CAPTURE(last);
    std::vector<std::uint32_t> bits(filter_words(rows));
    for (std::uint32_t row = first; row < last; ++row) bits[row / 32] |= 1u << row % 32;
    SearchOptions options;
    options.filter = {bits.data(), 1, bits.size()};
    check_same(copy.search(queries, k, Metric::l2sq, options), scan.search(queries.view(), k, Metric::l2sq, options));
  }
}

TEST_CASE("where rows or queries are no integers halves decide, and single queries among others go up a rung") {
  const auto device = open_device("cpu");
  const Matrix<float> database = integers(700, 33, 0, 255, 1);
  Matrix<float> queries = integers(2100, 33, 0, 255, 2);
  Index scan(*device, database.view(), {.method = Method::scan});
  Index index(*device, database.view(), {.method = Method::fused});
  const auto compare = [&](const MatrixView<float>& asked) {
    Neighbors found = index.search(asked, 7, Metric::l2sq);
    check_same(found, scan.search(asked, 7, Metric::l2sq));
    return decided(found.report);
  };
  // One in some thousand is not among those that are looked at.
  queries(1, 2) = 300;
  CHECK(compare(queries.view()) == "8-bit integers 2099, canonical scan 1");
  CHECK(compare(queries.view().slice(0, 20)) == "half precision 20");
  // Rows that were added: first integers, then one that is none, then none of it.
  const Matrix<float> more = integers(200, 33, 0, 255, 3);
  for (Index* one : {&scan, &index}) one->add(more.view());
  CHECK(compare(queries.view().slice(2, 20)) == "8-bit integers 20");
  Matrix<float> other = integers(1, 33, 0, 255, 4);
  // Less 128 it would round to an integer.
  other(0, 32) = 3 + 0x1p-22f;
  for (Index* one : {&scan, &index}) one->add(other.view());
  CHECK(compare(queries.view().slice(2, 20)) == "half precision 20");
  for (Index* one : {&scan, &index}) one->remove(std::array{900u});
  CHECK(compare(queries.view().slice(2, 20)) == "half precision 20");
  for (Index* one : {&scan, &index}) one->compact();
  CHECK(compare(queries.view().slice(2, 20)) == "8-bit integers 20");
}

TEST_CASE("rows that are stored as integers are searched in one piece, and block by block where that decides not all") {
  const auto device = open_device("cpu");
  constexpr std::uint32_t d = 400;
  // Blocks of 640 rows.
  constexpr std::uint64_t n = 1500, blocks = 3;
  const Matrix<float> database = integers(n, d, 0, 255, 1);
  Matrix<float> queries = integers(2100, d, 0, 255, 2);
  Index scan(*device, database.view(), {.method = Method::scan});
  const IndexOptions options{.method = Method::fused, .scratch_limit = 1 << 20, .storage = ElementType::uint8};
  Index stored(*device, database.view(), options);
  REQUIRE(stored.block_rows() == 640);
  const auto compare = [&](const MatrixView<float>& asked, std::uint64_t k, Metric metric,
                           const SearchOptions& with = {}) {
    Neighbors found = stored.search(asked, k, metric, with);
    check_same(found, scan.search(asked, k, metric, with));
    return decided(found.report);
  };
  const MatrixView<float> some = queries.view().slice(10, 9);
  const std::string in_one = "8-bit integers 9", in_blocks = "8-bit integers " + std::to_string(9 * blocks);
  const auto walk = [&] {
    for (const Metric metric : metrics) {
      CHECK(compare(some, 1, metric) == in_one);
      CHECK(compare(some, 256, metric) == in_one);
      CHECK(compare(some, 257, metric) != in_one);
      CHECK(compare(some.slice(0, 1), 5, metric) == "8-bit integers 1");
      // Filters that leave every other row, and three rows.
      Matrix<std::uint32_t> filters(9, (n + 31) / 32);
      std::fill_n(filters.data(), 9 * filters.columns(), 0xAAAAAAAAu);
      CHECK(compare(some, 5, metric, {.filter = filters.view()}) == in_one);
      CHECK(compare(some, 5, metric, {.filter = filters.view().slice(0, 1)}) == in_one);
    }
    CHECK(compare(some, 3, Metric::l1) != in_one);
    CHECK(compare(some, 3, Metric::cosine) != in_one);
  };
  walk();
  CHECK(compare(queries.view().slice(0, 0), 5, Metric::l2sq).empty());
  // What lies behind, and rows without themselves.
  const Neighbors before = scan.search(some, 5, Metric::l2sq);
  compare(some, 5, Metric::l2sq, {.after = &before});
  const std::vector<std::uint32_t> self(9, 77);
  compare(some, 5, Metric::l2sq, {.self = self});
  // Nothing is known of queries that are not looked at; and after some that left one undecided no more are tried.
  queries(1, 2) = 0.5f;
  CHECK(compare(some, 5, Metric::l2sq) == in_one);
  for (int again = 0; again < 8; ++again) compare(queries.view(), 5, Metric::l2sq);
  CHECK(compare(some, 5, Metric::l2sq) == in_blocks);
  // Searches under filters are counted apart.
  Matrix<std::uint32_t> filter(1, (n + 31) / 32);
  std::fill_n(filter.data(), filter.columns(), 0xFFFFFFFFu);
  CHECK(compare(some, 5, Metric::l2sq, {.filter = filter.view()}) == in_one);
  std::fill_n(filter.data(), filter.columns(), 0u);
  filter(0, 2) = 7;
  for (int again = 0; again < 8; ++again) compare(some, 5, Metric::l2sq, {.filter = filter.view()});
  std::fill_n(filter.data(), filter.columns(), 0xFFFFFFFFu);
  CHECK(compare(some, 5, Metric::l2sq, {.filter = filter.view()}) != in_one);
  // Rows that were removed.
  stored = Index(*device, database.view(), options);
  for (Index* one : {&scan, &stored}) one->remove(std::array{0u, 639u, 640u, 1499u});
  walk();
}

TEST_CASE("packing all rows, which other searches share a block with, leaves none of them an old copy of it") {
  const auto device = open_device("cpu");
  constexpr std::uint32_t d = 400;
  // Two whole blocks of 640 rows, which packing brings as searches do.
  const Matrix<float> database = integers(1280, d, 0, 255, 1), queries = integers(9, d, 0, 255, 2);
  const Matrix<float> others = make_values(9, d, Temper::uniform, 3);
  Index scan(*device, database.view(), {.method = Method::scan});
  for (const Metric before : {Metric::cosine, Metric::pearson, Metric::l2sq, Metric::ip})
    for (const unsigned times : {1u, 2u})
      for (const Metric packed : metrics) {
        CAPTURE(to_string(before));
        CAPTURE(to_string(packed));
        Index stored(*device, database.view(),
                     {.method = Method::fused, .scratch_limit = 1 << 20, .storage = ElementType::uint8});
        REQUIRE(stored.block_rows() == 640);
        // Normalised rows and halves of a block are copies of it.
        const MatrixView<float> asked = normalizes(before) ? queries.view() : others.view();
        const Neighbors expected = scan.search(asked, 5, before);
        for (unsigned again = 0; again < times; ++again) check_same(stored.search(asked, 5, before), expected);
        check_same(stored.search(queries.view(), 5, packed), scan.search(queries.view(), 5, packed));
        for (unsigned again = 0; again < 3; ++again) check_same(stored.search(asked, 5, before), expected);
      }
}

TEST_CASE("progress of rows that are stored as integers never goes back, and ends their packing") {
  const auto device = open_device("cpu");
  constexpr std::uint32_t d = 400;
  const Matrix<float> database = integers(1500, d, 0, 255, 1);
  Matrix<float> queries = integers(2100, d, 0, 255, 2);
  queries(1, 2) = 0.5f;  // is not looked at, and left undecided
  Index stored(*device, database.view(),
               {.method = Method::fused, .scratch_limit = 1 << 20, .storage = ElementType::uint8});
  struct Enough {};
  const auto end = [](std::uint64_t, std::uint64_t) { throw Enough(); };
  CHECK_THROWS_AS(stored.search(queries.view(), 5, Metric::l2sq, {.progress = end}), Enough);
  std::uint64_t last = 0, calls = 0;
  const auto look = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(done >= last);
    CHECK(total == 1500);
    last = done;
    ++calls;
  };
  Index scan(*device, database.view(), {.method = Method::scan});
  check_same(stored.search(queries.view(), 5, Metric::l2sq, {.progress = look}),
             scan.search(queries.view(), 5, Metric::l2sq));
  CHECK(last == 1500);
  CHECK(calls > 3);
}

TEST_CASE("without memory for a copy of all rows they are searched in blocks, and it gives its own to other searches") {
  constexpr std::uint32_t d = 400;
  const Matrix<float> database = integers(1500, d, -128, 127, 1), queries = integers(9, d, -128, 127, 2);
  const auto device = open_device("cpu");
  Index scan(*device, database.view(), {.method = Method::scan});
  class Small : public FailingDevice {
   public:
    std::uint64_t most = UINT64_MAX;
    std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override {
      has_no_memory = bytes > most;
      return FailingDevice::create_buffer(bytes, kind);
    }
  };
  const IndexOptions options{.method = Method::fused, .scratch_limit = 1 << 20, .storage = ElementType::int8};
  const auto search = [&](Index& index, Metric metric) {
    const Neighbors found = index.search(queries.view(), 5, metric);
    check_same(found, scan.search(queries.view(), 5, metric));
    return decided(found.report);
  };
  {
    Small small;
    Index stored(small, database.view(), options);
    small.most = 1000 * d;  // below a copy of all rows, above all else
    CHECK(search(stored, Metric::l2sq) == "8-bit integers 27");
    small.most = UINT64_MAX;
    CHECK(search(stored, Metric::l2sq) == "8-bit integers 27");
  }
  Small small;
  Index stored(small, database.view(), options);
  CHECK(search(stored, Metric::l2sq) == "8-bit integers 9");
  CHECK(search(stored, Metric::ip) == "8-bit integers 9");
  // A search of another kind that finds no memory at all fails, and has had that copy's given back.
  small.most = 0;
  CHECK_THROWS_AS(stored.search(queries.view(), 5, Metric::l1), Error);
  small.most = UINT64_MAX;
  CHECK(search(stored, Metric::l2sq) == "8-bit integers 27");
}

TEST_CASE("rows that search themselves are queries of the same kind") {
  const auto device = open_device("cpu");
  const Matrix<float> database = integers(600, 20, -128, 127, 5), others = make_values(600, 20, Temper::uniform, 6);
  for (const Matrix<float>* rows : {&database, &others}) {
    Index scan(*device, rows->view(), {.method = Method::scan});
    Index index(*device, rows->view(), {.method = Method::fused});
    const Neighbors found = index.search_rows(3, 50, 6, Metric::l2sq);
    check_same(found, scan.search_rows(3, 50, 6, Metric::l2sq));
    CHECK(decided(found.report) == (rows == &database ? "8-bit integers 50" : "half precision 50"));
  }
}

TEST_CASE("copies of integers: which metrics and dimensions, and what they take") {
  const auto device = open_device("cpu");
  for (const ScreenOperand operand : {ScreenOperand::int8, ScreenOperand::uint8}) {
    CHECK(ScreenedRows::supports(*device, Metric::l2, 1000, 1024, operand));
    CHECK(!ScreenedRows::supports(*device, Metric::l2, 1000, 1025, operand));
    CHECK(!ScreenedRows::supports(*device, Metric::l1, 1000, 10, operand));
    CHECK(!ScreenedRows::supports(*device, Metric::cosine, 1000, 10, operand));
    CHECK(ScreenedRows::bytes(1000, 128, true, operand) == 8 * (128 * 128 + 128 * 4 + 16));
    const ScreenedRows rows(*device, Metric::ip, 1000, 129, true, 0, operand);
    CHECK(rows.row_major() == nullptr);
    CHECK(rows.depth_blocks() == 2);
    CHECK(rows.depth() == 65);
  }
}
