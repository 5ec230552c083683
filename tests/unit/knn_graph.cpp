#include "proxel/graph.hpp"

#include <algorithm>

#include "refused.hpp"
#include "search/check.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

constexpr std::uint32_t none = no_neighbor;

// Rows on a line: 0, 1, 3, 3, 7. Row 2 and row 3 are the same.
Matrix<float> line() {
  Matrix<float> rows(5, 1);
  const float places[] = {0, 1, 3, 3, 7};
  std::copy(std::begin(places), std::end(places), rows.data());
  return rows;
}

Neighbors graph_of_line(std::uint64_t k, bool exclude_self, Method method = Method::automatic) {
  const auto device = open_device("cpu");
  const Matrix<float> rows = line();
  IndexOptions options;
  options.method = method;
  Index index(*device, rows.view(), options);
  GraphOptions with;
  with.exclude_self = exclude_self;
  if (method == Method::texel) with.rows = rows.view();
  return knn_graph(index, k, Metric::l1, with);
}

std::vector<std::uint32_t> row_of(const Matrix<std::uint32_t>& indices, std::uint64_t row) {
  const auto* first = indices.data() + row * indices.columns();
  return {first, first + indices.columns()};
}

}  // namespace

TEST_CASE("a row is left out by its index, so that its duplicate stays") {
  for (const Method method : {Method::automatic, Method::texel}) {
    const Neighbors graph = graph_of_line(2, true, method);
    CHECK(row_of(graph.indices, 0) == std::vector<std::uint32_t>{1, 2});
    CHECK(row_of(graph.indices, 1) == std::vector<std::uint32_t>{0, 2});
    // Row 3 finds row 2 before itself, and loses itself all the same.
    CHECK(row_of(graph.indices, 2) == std::vector<std::uint32_t>{3, 1});
    CHECK(row_of(graph.indices, 3) == std::vector<std::uint32_t>{2, 1});
    CHECK(row_of(graph.indices, 4) == std::vector<std::uint32_t>{2, 3});
    CHECK(graph.distances(3, 0) == 0);
    CHECK(graph.distances(4, 1) == 4);
  }
}

TEST_CASE("a row that is not among its own nearest costs the farthest of them its place") {
  // By inner product the largest row is nearest to all others.
  const auto device = open_device("cpu");
  const Matrix<float> rows = line();
  Index index(*device, rows.view());
  const Neighbors graph = knn_graph(index, 1, Metric::ip);
  CHECK(graph.indices(1, 0) == 4);
  CHECK(graph.distances(1, 0) == 7);
  CHECK(graph.indices(4, 0) == 2);
}

TEST_CASE("a graph that keeps rows among their neighbours is a search by them") {
  const Neighbors graph = graph_of_line(2, false);
  CHECK(row_of(graph.indices, 0) == std::vector<std::uint32_t>{0, 1});
  CHECK(row_of(graph.indices, 3) == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("padding is no edge of the sparse matrix, a distance of 0 is one") {
  const Neighbors graph = graph_of_line(6, true);
  CHECK(row_of(graph.indices, 0) == std::vector<std::uint32_t>{1, 2, 3, 4, none, none});
  const CsrGraph sparse = to_csr(graph, 5);
  CHECK(sparse.rows == 5);
  CHECK(sparse.columns == 5);
  CHECK(sparse.first == std::vector<std::uint64_t>{0, 4, 8, 12, 16, 20});
  CHECK(sparse.indices.size() == 20);
  CHECK(std::count(sparse.distances.begin(), sparse.distances.end(), 0.0f) == 2);
}

TEST_CASE("a graph says what it cannot do") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = line();
  const auto code_of = [&](Method method, std::uint64_t k, MatrixView<float> given) {
    IndexOptions options;
    options.method = method;
    Index index(*device, rows.view(), options);
    GraphOptions with;
    with.rows = given;
    try {
      knn_graph(index, k, Metric::l1, with);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode{};
  };
  CHECK(code_of(Method::texel, 1, {}) == ErrorCode::unsupported);
  CHECK(code_of(Method::automatic, 0, {}) == ErrorCode::invalid_argument);
  CHECK(code_of(Method::automatic, UINT64_MAX, {}) == ErrorCode::invalid_argument);
  CHECK(code_of(Method::automatic, 1, rows.view().slice(1, 3)) == ErrorCode::invalid_argument);
  CHECK(code_of(Method::automatic, 1, rows.view()) == ErrorCode{});
}

TEST_CASE("a search leaves out the row that each query says it is, and no other") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = line();
  for (const ElementType storage : {ElementType::float32, ElementType::float16}) {
    IndexOptions options;
    options.storage = storage;  // narrower rows are merged block by block
    Index index(*device, rows.view(), options);
    CHECK((index.block_rows() != 0) == (storage == ElementType::float16));
    const std::uint32_t self[] = {3, none, 4, 0, 9};
    SearchOptions with;
    with.self = self;
    const Neighbors found = index.search(rows.view(), 2, Metric::l1, with);
    CHECK(row_of(found.indices, 0) == std::vector<std::uint32_t>{0, 1});
    CHECK(row_of(found.indices, 1) == std::vector<std::uint32_t>{1, 0});
    CHECK(row_of(found.indices, 2) == std::vector<std::uint32_t>{2, 3});
    CHECK(row_of(found.indices, 3) == std::vector<std::uint32_t>{2, 3});
    CHECK(row_of(found.indices, 4) == std::vector<std::uint32_t>{4, 2});
    if (index.block_rows() != 0) continue;  // of rows that are narrower none are read back as queries
    const Neighbors others = index.search_rows(2, 2, 1, Metric::l1, {.self = {std::span(self).subspan(0, 2)}});
    CHECK(row_of(others.indices, 0) == std::vector<std::uint32_t>{2});
    CHECK(row_of(others.indices, 1) == std::vector<std::uint32_t>{2});
  }
}

TEST_CASE("rows that are to be left out are refused where there is no answer without them") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = line();
  Index index(*device, rows.view());
  const std::uint32_t self[] = {0, 1, 2, 3};
  SearchOptions with;
  with.self = self;
  check_refused([&] { index.search(rows.view(), 1, Metric::l1, with); }, "self");
  const auto four = rows.view().slice(0, 4);
  for (const std::uint64_t k : {std::uint64_t{0}, search::most_k, UINT64_MAX}) {
    check_refused([&] { index.search(four, k, Metric::l1, with); }, "k");
    check_refused([&] { index.plan(4, k, Metric::l1, {.exclude_self = true}); }, "k");
  }
  check_refused([&] { index.range_search(four, 1, Metric::l1, with); }, "self", ErrorCode::unsupported);
  check_refused([&] { index.plan_range(4, 1, Metric::l1, {.exclude_self = true}); }, "exclude_self",
                ErrorCode::unsupported);
}
