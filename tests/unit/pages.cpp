// Pages of methods that do not continue behind neighbours by themselves: they search for what comes before as well.
#include <array>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "proxel/index.hpp"
#include "proxel/sharded_index.hpp"
#include "refused.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

// Few different values, so that most distances are tied; some rows are not finite.
Matrix<float> tied_rows(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  Matrix<float> matrix(rows, columns);
  std::uint32_t state = seed;
  for (std::uint64_t i = 0; i < rows * columns; ++i) {
    state = state * 1664525u + 1013904223u;
    matrix.data()[i] = static_cast<float>(state >> 30);
  }
  for (std::uint64_t row = 7; row < rows; row += 101)
    matrix(row, 0) = row % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  return matrix;
}

constexpr Metric metrics[] = {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf, Metric::ip, Metric::cosine};

}  // namespace

TEST_CASE("pages of every method are those of the scan, by ones around the neighbours that are searched for together") {
  const auto device = open_device("cpu");
  constexpr std::uint64_t rows = 1200;
  const Matrix<float> database = tied_rows(rows, 5, 1), queries = tied_rows(9, 5, 9);
  Index scan(*device, database.view(), {.method = Method::scan});
  for (const Method method : {Method::fused, Method::bvh, Method::garcia_gemm, Method::komarov, Method::automatic}) {
    Index index(*device, database.view(), {.method = method});
    for (const bool removed : {false, true}) {
      if (removed) {
        std::vector<std::uint32_t> every_fifth;
        for (std::uint32_t row = 0; row < rows; row += 5) every_fifth.push_back(row);
        scan.remove(every_fifth);
        index.remove(every_fifth);
      }
      for (const Metric metric : metrics)
        for (const std::uint64_t k : {1u, 15u, 16u, 17u, 40u}) {
          if (!index.supports(metric, 4 * k)) continue;
          CAPTURE(to_string(method));
          CAPTURE(to_string(metric));
          CAPTURE(k);
          Neighbors page = index.search(queries.view(), k, metric);
          for (unsigned number = 1; number < 4; ++number) {
            Neighbors expected = scan.search(queries.view(), k, metric, {.after = &page});
            Neighbors next = index.search(queries.view(), k, metric, {.after = &page});
            check_same(next, expected);
            if (method != Method::automatic) CHECK(next.report.method == page.report.method);
            page = std::move(next);
          }
        }
    }
    scan = Index(*device, database.view(), {.method = Method::scan});
  }
}

TEST_CASE("a page far behind, one behind no row, and one behind more neighbours than the method serves") {
  const auto device = open_device("cpu");
  const Matrix<float> database = tied_rows(4000, 3, 1), queries = tied_rows(5, 3, 2);
  Index scan(*device, database.view(), {.method = Method::scan});
  Index fused(*device, database.view(), {.method = Method::fused});
  Neighbors far = scan.search(queries.view(), 700, Metric::l2);
  // The page before has one column, so that nothing tells how many come before it.
  Neighbors last{Matrix<std::uint32_t>(5, 1), Matrix<float>(5, 1), {}};
  for (std::uint64_t query = 0; query < 5; ++query) {
    last.indices(query, 0) = far.indices(query, 120 * query + 3);
    last.distances(query, 0) = far.distances(query, 120 * query + 3);
  }
  last.indices(4, 0) = no_neighbor;
  last.distances(4, 0) = std::numeric_limits<float>::infinity();
  const Neighbors expected = scan.search(queries.view(), 10, Metric::l2, {.after = &last});
  for (int turn = 0; turn < 3; ++turn) {
    const Neighbors found = fused.search(queries.view(), 10, Metric::l2, {.after = &last});
    check_same(found, expected);
  }
  Neighbors nearly_all = scan.search(queries.view(), 3000, Metric::l2);
  check_refused([&] { fused.search(queries.view(), 10, Metric::l2, {.after = &nearly_all}); }, "options",
                ErrorCode::unsupported);
}

TEST_CASE("pages of fused up to the last that it serves, whatever was asked for before") {
  const auto device = open_device("cpu");
  const Matrix<float> database = tied_rows(4000, 3, 1), queries = tied_rows(4, 3, 2), others = tied_rows(3, 3, 5);
  Index scan(*device, database.view(), {.method = Method::scan});
  Index fused(*device, database.view(), {.method = Method::fused});
  // A quarter of the rows, and one more.
  for (std::uint64_t passed = 490; passed <= 991; passed += passed == 530 ? 450 : 10) {
    CAPTURE(passed);
    const Neighbors page = scan.search(queries.view(), passed, Metric::l2);
    const auto next = [&](Index& index) { return index.search(queries.view(), 10, Metric::l2, {.after = &page}); };
    if (passed + 10 <= 1000)
      check_same(next(fused), next(scan));
    else
      check_refused([&] { next(fused); }, "options", ErrorCode::unsupported);
    // The second page of others needs few.
    const Neighbors first = scan.search(others.view(), 10, Metric::l1);
    check_same(fused.search(others.view(), 10, Metric::l1, {.after = &first}),
               scan.search(others.view(), 10, Metric::l1, {.after = &first}));
  }
  const Neighbors page = scan.search(queries.view(), 10, Metric::l2);
  for (const std::uint64_t k : {std::uint64_t{0}, (std::uint64_t{1} << 63) + 1})
    check_refused([&] { fused.search(queries.view(), k, Metric::l2, {.after = &page}); }, "k");
}

TEST_CASE("pages of fused over several devices, of which one has too few rows for it") {
  const Matrix<float> database = tied_rows(3000, 4, 1), queries = tied_rows(7, 4, 2);
  const auto device = open_device("cpu");
  Index whole(*device, database.view(), {.method = Method::scan});
  const auto other = open_device("cpu");
  const std::array<Device*, 2> devices = {device.get(), other.get()};
  ShardedIndex sharded(devices, database.view(), {.shares = {1, 14}, .index = {.method = Method::fused}});
  Neighbors page = whole.search(queries.view(), 60, Metric::l2);
  for (int turn = 0; turn < 3; ++turn) {
    Neighbors expected = whole.search(queries.view(), 60, Metric::l2, {.after = &page});
    check_same(sharded.search(queries.view(), 60, Metric::l2, {.after = &page}), expected);
    page = std::move(expected);
  }
}
