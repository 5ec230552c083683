// One to four queries are answered from 8-bit codes, and as before where codes do not decide.
#include <algorithm>
#include <array>
#include <string>

#include <doctest/doctest.h>

#include "proxel/index.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

// Uniform in [-1, 1), and as far from the origin as is asked for.
Matrix<float> rows_of(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed, float offset = 0) {
  Matrix<float> matrix(rows, columns);
  std::uint32_t state = seed;
  for (std::uint64_t i = 0; i < rows * columns; ++i) {
    state = state * 1664525u + 1013904223u;
    matrix.data()[i] = offset + static_cast<float>(static_cast<std::int32_t>(state)) * 0x1p-31f;
  }
  return matrix;
}

std::string first_rung(const Neighbors& found) { return found.report.rungs.empty() ? "" : found.report.rungs[0].rung; }

}  // namespace

TEST_CASE("on the CPU codes answer up to four queries, whatever the metric, the filter and k, and follow the rows") {
  const auto device = open_device("cpu");
  const Matrix<float> database = rows_of(4200, 19, 1);
  Index scanned(*device, database.view(), {.method = Method::scan});
  Index fused(*device, database.view(), {.method = Method::fused});
  Matrix<std::uint32_t> filter(1, (4200 + 31) / 32);
  std::fill_n(filter.data(), filter.columns(), 0x5A5A5A5Au);
  for (const bool updated : {false, true}) {
    if (updated) {
      const Matrix<float> more = rows_of(700, 19, 3);
      for (Index* index : {&scanned, &fused}) index->add(more.view());
      const std::array gone = {0u, 5u, 4199u, 4300u};
      for (Index* index : {&scanned, &fused}) CHECK(index->remove(gone) == gone.size());
    }
    for (const std::uint64_t count : {1u, 2u, 3u, 4u, 5u})
      for (const std::uint64_t k : {1u, 10u, 127u, 128u, 129u, 1024u, 1025u}) {
        const Matrix<float> queries = rows_of(count, 19, 2);
        for (const Metric metric : {Metric::l2, Metric::ip, Metric::cosine, Metric::l1, Metric::linf}) {
          CAPTURE(updated);
          CAPTURE(count);
          CAPTURE(k);
          CAPTURE(to_string(metric));
          // Canonical thresholds need more rows for as many.
          if (k > 1024 && !fused.supports(metric, k)) continue;
          const Neighbors found = fused.search(queries.view(), k, metric);
          check_same(found, scanned.search(queries.view(), k, metric));
          CHECK((first_rung(found) == "8-bit codes") == (count <= 4));
          Matrix<std::uint32_t> filters(count, fused.rows() / 32 + 1);
          for (std::size_t i = 0; i < count * filters.columns(); ++i)
            filters.data()[i] = static_cast<std::uint32_t>((i + k) * 0x9E3779B97F4A7C15ull >> 17);
          check_same(fused.search(queries.view(), k, metric, {.filter = filters.view()}),
                     scanned.search(queries.view(), k, metric, {.filter = filters.view()}));
          if (!updated)
            check_same(fused.search(queries.view(), k, metric, {.filter = filter.view()}),
                       scanned.search(queries.view(), k, metric, {.filter = filter.view()}));
        }
      }
  }
}

TEST_CASE("on the CPU auto encodes rows after 24 searches that codes serve, or for a plan, which is often executed") {
  const auto device = open_device("cpu");
  const Matrix<float> database = rows_of(16384, 64, 4), queries = rows_of(4, 64, 5);
  Index scanned(*device, database.view(), {.method = Method::scan});
  const Neighbors expected = scanned.search(queries.view(), 10, Metric::l2sq);
  Index index(*device, database.view());
  for (int again = 0; again < 24; ++again) {
    CHECK(index.method(Metric::l2sq, 10, 4) == Method::scan);
    const Neighbors found = index.search(queries.view(), 10, Metric::l2sq);
    CHECK(found.report.method == "scan");
    check_same(found, expected);
  }
  CHECK(index.method(Metric::l2sq, 10, 4) == Method::fused);
  const Neighbors found = index.search(queries.view(), 10, Metric::l2sq);
  CHECK(first_rung(found) == "8-bit codes");
  check_same(found, expected);
  // Too many queries for codes; and rows that would be encoded anew.
  CHECK(index.method(Metric::l2sq, 10, 5) == Method::scan);
  index.add(queries.view());
  CHECK(index.method(Metric::l2sq, 10, 4) == Method::scan);
  CHECK(Index(*device, database.view()).plan(1, 10, Metric::l2sq)->info().method == "fused");
  // Little is spared of few rows.
  CHECK(Index(*device, database.view().slice(0, 8191)).plan(1, 10, Metric::l2sq)->info().method == "scan");
}

TEST_CASE("where codes leave queries undecided the index searches without them, until its rows change") {
  const auto device = open_device("cpu");
  // Two clusters far apart: the step of codes is many times as long as either is wide.
  Matrix<float> database = rows_of(4000, 24, 1);
  for (std::uint64_t row = 0; row < 4000; ++row)
    for (std::uint64_t column = 0; column < 24; ++column)
      database(row, column) += row % 2 == 0 ? 10'000.0f : -10'000.0f;
  const Matrix<float> queries = rows_of(1, 24, 2, 10'000.0f);
  Index scanned(*device, database.view(), {.method = Method::scan});
  Index fused(*device, database.view(), {.method = Method::fused});
  std::string rung;
  for (int search = 0; search < 12; ++search) {
    const Neighbors found = fused.search(queries.view(), 10, Metric::l2sq);
    check_same(found, scanned.search(queries.view(), 10, Metric::l2sq));
    rung = first_rung(found);
  }
  CHECK(rung != "8-bit codes");
  CHECK(rung != "");
  fused.add(queries.view());
  scanned.add(queries.view());
  const Neighbors found = fused.search(queries.view(), 10, Metric::l2sq);
  check_same(found, scanned.search(queries.view(), 10, Metric::l2sq));
  CHECK(first_rung(found) == "8-bit codes");
}

TEST_CASE("filters that leave too few rows for a threshold end codes for searches with filters alone") {
  const auto device = open_device("cpu");
  const Matrix<float> database = rows_of(4200, 19, 1), queries = rows_of(1, 19, 2);
  Index scanned(*device, database.view(), {.method = Method::scan});
  Index fused(*device, database.view(), {.method = Method::fused});
  Matrix<std::uint32_t> filter(1, (4200 + 31) / 32);
  std::fill_n(filter.data(), filter.columns(), 0u);
  filter(0, 7) = 0x111u;
  std::string rung;
  for (int search = 0; search < 12; ++search) {
    const Neighbors found = fused.search(queries.view(), 10, Metric::l2sq, {.filter = filter.view()});
    check_same(found, scanned.search(queries.view(), 10, Metric::l2sq, {.filter = filter.view()}));
    rung = first_rung(found);
  }
  CHECK(rung != "8-bit codes");
  const Neighbors found = fused.search(queries.view(), 10, Metric::l2sq);
  check_same(found, scanned.search(queries.view(), 10, Metric::l2sq));
  CHECK(first_rung(found) == "8-bit codes");
  CHECK(found.report.rungs[0].queries == 1);
}

TEST_CASE(
    "on the CPU codes are made after as many searches as encoding is worth, and the answers stay what they were") {
  const auto device = open_device("cpu");
  const Matrix<float> database = rows_of(1u << 16, 512, 1), queries = rows_of(4, 512, 2);
  Index scanned(*device, database.view(), {.method = Method::scan});
  Index index(*device, database.view());
  const Neighbors expected = scanned.search(queries.view(), 10, Metric::l2);
  int by_codes = 0;
  for (int search = 0; search < 30; ++search) {
    const Neighbors found = index.search(queries.view(), 10, Metric::l2);
    check_same(found, expected);
    by_codes += first_rung(found) == "8-bit codes";
  }
  CHECK(by_codes > 0);
  CHECK(by_codes < 10);
  const Neighbors of_more = index.search(queries.view(), 1000, Metric::l2);
  check_same(of_more, scanned.search(queries.view(), 1000, Metric::l2));
  CHECK(first_rung(of_more) != "8-bit codes");
  index.add(queries.view());
  scanned.add(queries.view());
  const Neighbors after = index.search(queries.view(), 10, Metric::l2);
  check_same(after, scanned.search(queries.view(), 10, Metric::l2));
  CHECK(first_rung(after) != "8-bit codes");
}
