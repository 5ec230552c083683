// Rows that pass through the device in blocks do what rows on it do.
#include <algorithm>
#include <array>
#include <vector>

#include <doctest/doctest.h>

#include "failing_device.hpp"
#include "proxel/graph.hpp"
#include "proxel/index.hpp"
#include "refused.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

// Integers, which every type holds.
Matrix<float> whole_numbers(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  Matrix<float> matrix(rows, columns);
  std::uint32_t state = seed;
  for (std::uint64_t i = 0; i < rows * columns; ++i) {
    state = state * 1664525u + 1013904223u;
    matrix.data()[i] = static_cast<float>(state >> 27);
  }
  return matrix;
}

constexpr std::uint64_t dimensions = 7;

}  // namespace

TEST_CASE(
    "rows in blocks: searches, pages, radii, filters, removal and reading, by each method and around whole tiles") {
  const auto device = open_device("cpu");
  const Matrix<float> queries = whole_numbers(9, dimensions, 3);
  for (const std::uint64_t rows : {383u, 384u, 385u, 511u, 513u}) {
    const Matrix<float> database = whole_numbers(rows, dimensions, 1);
    for (const Method method : {Method::automatic, Method::scan, Method::fused, Method::bvh})
      for (const IndexOptions& options :
           {IndexOptions{.method = method, .memory_limit = 2 * 128 * dimensions * 4},
            IndexOptions{.method = method, .scratch_limit = std::uint64_t{1} << 20, .storage = ElementType::uint8},
            IndexOptions{.method = method, .storage = ElementType::float16}}) {
        CAPTURE(rows);
        CAPTURE(to_string(method));
        CAPTURE(to_string(options.storage));
        Index whole(*device, database.view());
        Index blocks(*device, database.view(), options);
        REQUIRE(blocks.block_rows() != 0);
        CHECK(blocks.method() == method);
        check_same(knn_graph(blocks, 4, Metric::l2), knn_graph(whole, 4, Metric::l2));
        for (const bool removed : {false, true}) {
          for (const Metric metric : {Metric::l2, Metric::l1, Metric::cosine}) {
            if (!blocks.supports(metric, 5)) continue;
            for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{130}, rows, rows + 1}) {
              if (!blocks.supports(metric, k)) continue;
              check_same(blocks.search(queries.view(), k, metric), whole.search(queries.view(), k, metric));
            }
            const RangeNeighbors near = blocks.range_search(queries.view(), 20, metric);
            const RangeNeighbors expected = whole.range_search(queries.view(), 20, metric);
            CHECK(near.offsets == expected.offsets);
            CHECK(near.indices == expected.indices);
            CHECK(near.distances == expected.distances);
            const Neighbors first = whole.search(queries.view(), 5, metric);
            // Fused serves up to a quarter of the rows.
            const std::uint64_t behind = method == Method::fused ? 60 : 200;
            check_same(blocks.search(queries.view(), behind, metric, {.after = &first}),
                       whole.search(queries.view(), behind, metric, {.after = &first}));
          }
          check_same(blocks.search_rows(100, 200, 3, Metric::l2sq), whole.search_rows(100, 200, 3, Metric::l2sq));
          const Neighbors page = whole.search_rows(100, 200, 3, Metric::l2);
          check_same(blocks.search_rows(100, 200, 9, Metric::l2, {.after = &page}),
                     whole.search_rows(100, 200, 9, Metric::l2, {.after = &page}));
          const std::array numbers = {382u, 0u, 1u, 2u, 127u, 128u, 129u, 5u};
          CHECK(blocks.read_rows(numbers) == whole.read_rows(numbers));
          if (removed) break;
          const std::array gone = {0u, 127u, 128u, 382u, 200u};
          for (Index* index : {&whole, &blocks}) CHECK(index->remove(gone) == gone.size());
        }
      }
  }
}

TEST_CASE("a block of stored rows that is still there is searched first, and not widened again") {
  const auto device = open_device("cpu");
  // A block of 1 MiB has 512 rows, and the last begins earlier, at a word: at any row, every second or every fourth.
  for (const std::uint64_t wide : {512u, 510u, 511u})
    for (const ElementType type : {ElementType::uint8, ElementType::float16}) {
      CAPTURE(wide);
      CAPTURE(to_string(type));
      const Matrix<float> database = whole_numbers(1201, wide, 1), queries = whole_numbers(6, wide, 2);
      Index whole(*device, database.view());
      Index blocks(*device, database.view(), {.scratch_limit = std::uint64_t{1} << 20, .storage = type});
      REQUIRE(blocks.block_rows() == 512);
      for (unsigned round = 0; round < 3; ++round)
        for (const Metric metric : {Metric::l2, Metric::cosine}) {
          CAPTURE(round);
          // The last tells how far it is, which never goes back and ends with all rows.
          std::vector<std::uint64_t> told;
          const auto progress = [&](std::uint64_t done, std::uint64_t total) {
            CHECK(total == 1201);
            told.push_back(done);
          };
          check_same(blocks.search(queries.view(), 20, metric, {.progress = progress}),
                     whole.search(queries.view(), 20, metric));
          CHECK(std::ranges::is_sorted(told));
          CHECK((!told.empty() && told.back() == 1201));
          const Neighbors page = whole.search(queries.view(), 5, metric);
          check_same(blocks.search(queries.view(), 20, metric, {.after = &page}),
                     whole.search(queries.view(), 20, metric, {.after = &page}));
          const float radius = page.distances(0, 4);
          const RangeNeighbors near = blocks.range_search(queries.view(), radius, metric);
          const RangeNeighbors expected = whole.range_search(queries.view(), radius, metric);
          CHECK(near.offsets == expected.offsets);
          CHECK(near.indices == expected.indices);
          CHECK(near.distances == expected.distances);
        }
      const std::array gone = {0u, 511u, 512u, 1200u};
      for (Index* index : {&whole, &blocks}) CHECK(index->remove(gone) == gone.size());
      check_same(blocks.search(queries.view(), 20, Metric::l2), whole.search(queries.view(), 20, Metric::l2));
    }
}

TEST_CASE("blocks of too few rows for the method are answered by the scan; of all rows there must be enough") {
  const auto device = open_device("cpu");
  const Matrix<float> database = whole_numbers(700, dimensions, 1), queries = whole_numbers(5, dimensions, 2);
  Index whole(*device, database.view(), {.method = Method::fused});
  for (const IndexOptions& options :
       {IndexOptions{.method = Method::fused, .memory_limit = 2 * 128 * dimensions * 4},
        IndexOptions{
            .method = Method::fused, .scratch_limit = std::uint64_t{1} << 20, .storage = ElementType::uint8}}) {
    Index blocks(*device, database.view(), options);
    for (const std::uint64_t k : {1, 32, 33, 175}) {
      CAPTURE(k);
      check_same(blocks.search(queries.view(), k, Metric::l2), whole.search(queries.view(), k, Metric::l2));
    }
    for (const std::uint64_t k : {176, 1025}) {
      CAPTURE(k);
      CHECK(!whole.supports(Metric::l2, k));
      CHECK(blocks.supports(Metric::l2, k).reason == whole.supports(Metric::l2, k).reason);
      check_refused([&] { blocks.search(queries.view(), k, Metric::l2); }, "k", ErrorCode::unsupported);
    }
  }
}

TEST_CASE("what an index does between searches of other metrics and k leaves no old rows behind") {
  const auto device = open_device("cpu");
  const Matrix<float> database = whole_numbers(700, dimensions, 1), queries = whole_numbers(5, dimensions, 2);
  Index whole(*device, database.view());
  Index blocks(*device, database.view(), {.method = Method::fused, .memory_limit = 2 * 256 * dimensions * 4});
  for (int round = 0; round < 2; ++round)
    for (const Metric metric :
         {Metric::l2sq, Metric::cosine, Metric::ip, Metric::pearson, Metric::l2sq, Metric::cosine})
      for (const std::uint64_t k : {3, 9, 3})
        check_same(blocks.search(queries.view(), k, metric), whole.search(queries.view(), k, metric));
}

TEST_CASE("many rows pass in more blocks than the memory asks for, of one size, whose rows at the end overlap") {
  const auto device = open_device("cpu");
  constexpr std::uint64_t columns = 61;
  Matrix<float> database = whole_numbers(3'000'003, columns, 1);
  const Matrix<float> queries = whole_numbers(3, columns, 2);
  // Rows that are at the same distance on both sides of where blocks begin.
  for (std::uint64_t row = 0; row < database.rows(); row += 14999)
    std::copy_n(queries.data(), columns, database.data() + row * columns);
  Index whole(*device, database.view());
  Index blocks(*device, database.view(), {.memory_limit = std::uint64_t{620} << 20});
  for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{205}}) {
    CAPTURE(k);
    check_same(blocks.search(queries.view(), k, Metric::l2), whole.search(queries.view(), k, Metric::l2));
  }
  const Neighbors first = whole.search(queries.view(), 100, Metric::l2sq);
  check_same(blocks.search(queries.view(), 200, Metric::l2sq, {.after = &first}),
             whole.search(queries.view(), 200, Metric::l2sq, {.after = &first}));
  const RangeNeighbors near = blocks.range_search(queries.view(), 60, Metric::l2);
  const RangeNeighbors expected = whole.range_search(queries.view(), 60, Metric::l2);
  CHECK(near.offsets == expected.offsets);
  CHECK(near.indices == expected.indices);
  CHECK(near.distances == expected.distances);
  std::uint64_t told = 0;
  bool sensible = true;
  blocks.search(queries.view(), 5, Metric::l1, {.progress = [&](std::uint64_t done, std::uint64_t total) {
    sensible = sensible && done >= told && done <= total && total == database.rows();
    told = done;
  }});
  CHECK(sensible);
  CHECK(told == database.rows());
}

TEST_CASE(
    "the device merges the answers of blocks up to a k of 1,024 and a share of the scratch memory, the host beyond") {
  const auto device = open_device("cpu");
  const Matrix<float> database = whole_numbers(1300, dimensions, 1);
  Index whole(*device, database.view());
  // Blocks of fewer rows than k: a query has fewer answers in a block than in all.
  for (const std::uint64_t block_rows : {128u, 512u, 640u}) {
    Index blocks(*device, database.view(),
                 {.scratch_limit = std::uint64_t{1} << 20, .memory_limit = 2 * block_rows * dimensions * 4});
    REQUIRE(blocks.block_rows() == block_rows);
    for (const std::uint64_t k : {1u, 127u, 128u, 129u, 1023u, 1024u, 1025u}) {
      CAPTURE(block_rows);
      CAPTURE(k);
      // The scratch memory holds what 63 queries keep of 1,024 answers, and not what 64 do.
      for (const std::uint64_t count : {1u, 63u, 64u, 65u}) {
        const Matrix<float> queries = whole_numbers(count, dimensions, 5);
        for (const Metric metric : {Metric::l2, Metric::ip, Metric::cosine}) {
          check_same(blocks.search(queries.view(), k, metric), whole.search(queries.view(), k, metric));
          check_same(blocks.search(queries.view(), k, metric, {.ordered = true}),
                     whole.search(queries.view(), k, metric, {.ordered = true}));
        }
      }
    }
  }
}

TEST_CASE("the last rows pass in smaller parts, and like the others where there is no memory for what searches them") {
  class Refusing : public FailingDevice {
   public:
    std::uint64_t left = UINT64_MAX;  // buffers before the one that is refused, once
    std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override {
      has_no_memory = left-- == 0;
      return FailingDevice::create_buffer(bytes, kind);
    }
  };
  const auto device = open_device("cpu");
  const Matrix<float> database = whole_numbers(5000, dimensions, 1), queries = whole_numbers(40, dimensions, 2);
  Index whole(*device, database.view());
  for (const Method method : {Method::fused, Method::scan}) {
    std::uint64_t done_without = 0;
    for (std::uint64_t left = 0;; ++left) {
      Refusing refusing;
      Index blocks(refusing, database.view(), {.method = method, .memory_limit = 2 * 2048 * dimensions * 4});
      refusing.left = left;
      std::uint64_t told = 0;
      bool sensible = true;
      const SearchOptions with{.progress = [&](std::uint64_t done, std::uint64_t total) {
        sensible = sensible && done >= told && done <= total && total == database.rows();
        told = done;
      }};
      bool failed = false;
      try {
        check_same(blocks.search(queries.view(), 3, Metric::cosine, with),
                   whole.search(queries.view(), 3, Metric::cosine));
        CHECK(told == database.rows());
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::out_of_memory);
        failed = true;
      }
      CHECK(sensible);
      if (refusing.left <= left) break;  // all were had
      done_without += !failed;
      refusing.left = UINT64_MAX;
      check_same(blocks.search(queries.view(), 4, Metric::l2sq), whole.search(queries.view(), 4, Metric::l2sq));
    }
    CHECK(done_without > 0);
  }
}

TEST_CASE("answers of parts are read in one piece, or share by share where they are many: by ones around that") {
  const auto device = open_device("cpu");
  const Matrix<float> database = whole_numbers(1'200, dimensions, 1), queries = whole_numbers(8'167, dimensions, 3);
  Index whole(*device, database.view(), {.method = Method::scan});
  Index blocks(*device, database.view(), {.method = Method::scan, .memory_limit = 2 * 384 * dimensions * 4});
  REQUIRE(blocks.block_rows() == 384);
  const auto check = [&](std::uint64_t count, std::uint64_t k) {
    CAPTURE(count);
    const MatrixView<float> some = queries.view().slice(0, count);
    check_same(blocks.search(some, k, Metric::l2sq), whole.search(some, k, Metric::l2sq));
  };
  // 256 queries with 1,024 neighbours each are the fewest that are read in shares.
  for (const std::uint64_t k : {1'023u, 1'024u})
    for (std::uint64_t count = 254; count <= 261; ++count) check(count, k);
  check(8'167, 1'024);  // more than are on the device at once
}
