// Rows added to an index, removed from it, and taken out of it: the answers are
// those of an index made of the rows that are left.
#include <algorithm>
#include <numeric>
#include <random>

#include "proxel/graph.hpp"
#include "proxel/index.hpp"
#include "support.hpp"

namespace {

using namespace proxel;
using namespace proxel::unit;

Matrix<float> rows_of(const Matrix<float>& all, std::uint64_t first, std::uint64_t count) {
  Matrix<float> rows(count, all.columns());
  std::copy_n(all.data() + first * all.columns(), count * all.columns(), rows.data());
  return rows;
}

// What a new index of the rows that are left finds, by the numbers they have.
Neighbors expected_of(Device& device, const Matrix<float>& all, const std::vector<bool>& live,
                      const Matrix<float>& queries, std::uint64_t k, Metric metric) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t row = 0; row < live.size(); ++row)
    if (live[row]) numbers.push_back(row);
  Matrix<float> left(numbers.size(), all.columns());
  for (std::uint64_t row = 0; row < numbers.size(); ++row)
    std::copy_n(&all(numbers[row], 0), all.columns(), &left(row, 0));
  Index index(device, left.view(), {.method = Method::scan});
  Neighbors found = index.search(queries.view(), k, metric);
  for (std::uint64_t i = 0; i < queries.rows() * k; ++i)
    if (std::uint32_t& row = found.indices.data()[i]; row != no_neighbor) row = numbers[row];
  return found;
}

constexpr Metric metrics[] = {Metric::l1, Metric::l2, Metric::ip, Metric::cosine, Metric::pearson};

}  // namespace

TEST_CASE("added and removed rows give the answer of an index of what is left") {
  const auto device = open_device("cpu");
  for (const Method method : {Method::automatic, Method::scan, Method::fused, Method::bvh})
    for (const std::uint32_t dimensions : {1u, 5u, 33u}) {
      if (method == Method::bvh && dimensions > 8) continue;
      CAPTURE(to_string(method));
      CAPTURE(dimensions);
      const Matrix<float> all = make_values(1700, dimensions, Temper::ties, dimensions);
      const Matrix<float> queries = make_values(40, dimensions, Temper::ties, 99);
      std::vector<bool> live(300, true);
      Index index(*device, rows_of(all, 0, 300).view(), {.method = method});
      // The sizes end inside a tile, at its end, and several tiles on.
      std::mt19937 random(7);
      for (const std::uint64_t size : {300u, 301u, 384u, 385u, 1700u}) {
        if (const std::uint64_t more = size - live.size(); more != 0)
          CHECK(index.add(rows_of(all, live.size(), more).view()) == live.size());
        live.resize(size, true);
        CHECK(index.rows() == size);
        std::vector<std::uint32_t> removed(size / 9);
        for (std::uint32_t& row : removed) {
          row = static_cast<std::uint32_t>(random() % size);
          live[row] = false;
        }
        index.remove(removed);
        CHECK(index.removed_rows() == std::uint64_t(std::count(live.begin(), live.end(), false)));
        for (const Metric metric : metrics) {
          CAPTURE(to_string(metric));
          const bool differences = metric == Metric::l1 || metric == Metric::l2;
          const bool served = method != Method::bvh || differences;
          REQUIRE(bool(index.supports(metric, 3)) == served);
          if (!served) continue;
          check_same(index.search(queries.view(), 3, metric), expected_of(*device, all, live, queries, 3, metric));
        }
      }
    }
}

TEST_CASE("compaction keeps the order of rows and tells their numbers") {
  const auto device = open_device("cpu");
  const Matrix<float> all = make_values(700, 9, Temper::uniform, 3);
  const Matrix<float> queries = make_values(20, 9, Temper::uniform, 4);
  Index index(*device, all.view(), {.method = Method::automatic});
  const Neighbors whole = index.search(queries.view(), 5, Metric::cosine);
  std::vector<bool> live(700, true);
  std::vector<std::uint32_t> removed;
  for (std::uint32_t row = 0; row < 700; row += 1 + row % 5) {
    removed.push_back(row);
    live[row] = false;
  }
  CHECK(index.remove(removed) == removed.size());
  CHECK(index.remove(removed) == 0);
  const std::vector<std::uint32_t> numbers = index.compact();
  CHECK(index.rows() == 700 - removed.size());
  CHECK(index.removed_rows() == 0);
  std::uint32_t next = 0;
  for (std::uint32_t row = 0; row < 700; ++row) CHECK(numbers[row] == (live[row] ? next++ : no_neighbor));
  for (const Metric metric : metrics) {
    Neighbors expected = expected_of(*device, all, live, queries, 5, metric);
    for (std::uint64_t i = 0; i < 100; ++i) expected.indices.data()[i] = numbers[expected.indices.data()[i]];
    check_same(index.search(queries.view(), 5, metric), expected);
  }
  // Nothing is left to take out; rows can be added again.
  CHECK(index.compact() == [&] {
    std::vector<std::uint32_t> same(index.rows());
    std::iota(same.begin(), same.end(), 0u);
    return same;
  }());
  CHECK(index.add(all.view()) == 700 - removed.size());
  Neighbors again = index.search(queries.view(), 5, Metric::cosine);
  CHECK(again.distances.data()[0] == whole.distances.data()[0]);
}

TEST_CASE("removed rows are found by no search of any kind") {
  const auto device = open_device("cpu");
  const Matrix<float> all = make_values(260, 4, Temper::ties, 5);
  Index index(*device, all.view());
  std::vector<std::uint32_t> removed(256);
  std::iota(removed.begin(), removed.end(), 2u);
  index.remove(removed);
  // Four are left, of which the caller's filter allows two.
  Matrix<std::uint32_t> filter(1, 9);
  std::fill_n(filter.data(), 9, 0x5555'5555u);
  const Neighbors found = index.search(all.view().slice(0, 1), 5, Metric::l1, {.filter = filter.view()});
  std::vector<std::uint32_t> rows(found.indices.data(), found.indices.data() + 5);
  std::sort(rows.begin(), rows.end());
  CHECK(rows == std::vector<std::uint32_t>{0, 258, no_neighbor, no_neighbor, no_neighbor});
  const RangeNeighbors range = index.range_search(all.view().slice(0, 1), 1e30f, Metric::l1);
  CHECK(range.count(0) == 4);
  CHECK(index.search_rows(0, 260, 4, Metric::l2sq).indices(7, 0) != 7);
  CHECK_THROWS_AS(knn_graph(index, 2, Metric::l2sq), Error);

  std::vector<std::uint32_t> every(260);
  std::iota(every.begin(), every.end(), 0u);
  index.remove(every);
  CHECK(index.search(all.view(), 1, Metric::l2sq).indices(0, 0) == no_neighbor);
  CHECK_THROWS_AS(index.compact(), Error);
}

TEST_CASE("updates that cannot be are refused and change nothing") {
  const auto device = open_device("cpu");
  const Matrix<float> all = make_values(200, 4, Temper::uniform, 5);
  Index index(*device, all.view());
  const std::uint32_t outside[] = {0, 200};
  CHECK_THROWS_AS(index.remove(outside), Error);
  CHECK(index.removed_rows() == 0);
  CHECK_THROWS_AS(index.add(make_values(3, 5, Temper::uniform, 1).view()), Error);
  CHECK(index.add(Matrix<float>(0, 4).view()) == 200);
  CHECK(index.rows() == 200);

  Index texel(*device, all.view(), {.method = Method::texel});
  CHECK_THROWS_AS(texel.add(all.view()), Error);
  Index narrow(*device, all.view(), {.storage = ElementType::float16});
  CHECK_THROWS_AS(narrow.add(all.view()), Error);
  CHECK(narrow.remove({}) == 0);
  Index limited(*device, all.view(), {.memory_limit = 2 * 128 * 4 * 4});
  CHECK_THROWS_AS(limited.add(all.view()), Error);
  // What is interrupted leaves the index as it was.
  const auto interrupt = [](std::uint64_t, std::uint64_t) { throw Error(ErrorCode::device_lost, "x", "y"); };
  const Neighbors before = index.search(all.view(), 3, Metric::cosine);
  CHECK_THROWS_AS(index.add(all.view(), interrupt), Error);
  CHECK(index.rows() == 200);
  check_same(index.search(all.view(), 3, Metric::cosine), before);
  check_same(index.search(all.view(), 3, Metric::l1), Index(*device, all.view()).search(all.view(), 3, Metric::l1));
  const std::uint32_t fifth[] = {5};
  index.remove(fifth);
  const Neighbors without = index.search(all.view(), 3, Metric::l1);
  CHECK_THROWS_AS(index.compact(interrupt), Error);
  check_same(index.search(all.view(), 3, Metric::l1), without);
  CHECK(index.compact().size() == 200);
  CHECK(index.rows() == 199);

  // A method without filters says why it refuses.
  Index garcia(*device, all.view(), {.method = Method::garcia_gemm});
  const std::uint32_t first[] = {0};
  garcia.remove(first);
  CHECK(garcia.supports(Metric::l2sq, 3).reason.find("compact()") != std::string::npos);
  garcia.compact();
  CHECK(garcia.search(all.view(), 3, Metric::l2sq).indices(1, 0) == 0);
}

TEST_CASE("a compaction in place that is interrupted answers nothing until it goes on") {
  // Rows so wide that a tile of 128 is what passes through the host at a time, and no room for a copy.
  constexpr std::uint32_t dimensions = 1u << 16;
  const auto device = open_device("cpu");
  Matrix<float> all(500, dimensions);
  for (std::uint64_t row = 0; row < 500; ++row) all(row, row) = static_cast<float>(row + 1);
  Index index(*device, all.view(), {.memory_limit = std::uint64_t{4} * 128 * dimensions * 4});
  std::vector<std::uint32_t> removed;
  for (std::uint32_t row = 0; row < 500; row += 10) removed.push_back(row);
  index.remove(removed);
  const Matrix<float> queries = rows_of(all, 141, 4);
  const Neighbors before = index.search(queries.view(), 3, Metric::l2sq);

  const auto interrupt_at = [](std::uint64_t rows) {
    return [rows](std::uint64_t done, std::uint64_t) {
      if (done >= rows) throw Error(ErrorCode::device_lost, "x", "y");
    };
  };
  // Nothing has been written before the rows that are left of two tiles fill one.
  for (const std::uint64_t rows : {128, 256}) {
    CHECK_THROWS_AS(index.compact(interrupt_at(rows)), Error);
    check_same(index.search(queries.view(), 3, Metric::l2sq), before);
  }
  for (const std::uint64_t rows : {384, 500}) {
    CHECK_THROWS_AS(index.compact(interrupt_at(rows)), Error);
    CHECK(index.supports(Metric::l2sq, 1).limit == Limit::unfinished);
    CHECK_THROWS_AS(index.search(queries.view(), 3, Metric::l2sq), Error);
    CHECK_THROWS_AS(index.range_search(queries.view(), 1, Metric::l2sq), Error);
    CHECK_THROWS_AS(index.remove(removed), Error);
    CHECK_THROWS_AS(index.add(queries.view()), Error);
  }
  const std::vector<std::uint32_t> numbers = index.compact();
  CHECK(index.rows() == 450);
  Neighbors expected = before;
  for (std::uint64_t i = 0; i < 12; ++i) expected.indices.data()[i] = numbers[expected.indices.data()[i]];
  check_same(index.search(queries.view(), 3, Metric::l2sq), expected);
}
