// The oracle is tested with answers worked out by hand, and with wrong answers
// that it must reject.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "oracle.hpp"
#include "values.hpp"

using namespace proxel;
using namespace proxel::conformance;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();

Matrix<float> matrix(std::uint64_t columns, std::initializer_list<float> values) {
  Matrix<float> result(values.size() / columns, columns);
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

Neighbors neighbors(std::initializer_list<std::uint32_t> indices, std::initializer_list<float> distances) {
  Neighbors result{Matrix<std::uint32_t>(1, indices.size()), Matrix<float>(1, distances.size())};
  std::copy(indices.begin(), indices.end(), result.indices.data());
  std::copy(distances.begin(), distances.end(), result.distances.data());
  return result;
}

void swap_ranks(Neighbors& answer, std::uint64_t a, std::uint64_t b) {
  std::swap(answer.indices(0, a), answer.indices(0, b));
  std::swap(answer.distances(0, a), answer.distances(0, b));
}

// Rows 0 … 6 at l1 distances 2, 1, NaN, 1, 3, inf, 0 from the query; k = 9.
struct Example {
  Matrix<float> database = matrix(1, {3, 2, quiet_nan, 0, 4, inf, 1});
  Matrix<float> queries = matrix(1, {1});
  Question question{database.view(), queries.view(), Metric::l1, 9};
  Neighbors right =
      neighbors({6, 1, 3, 0, 4, 5, 2, no_neighbor, no_neighbor}, {0, 1, 1, 2, 3, inf, quiet_nan, inf, inf});
  Neighbors wrong = right;

  bool rejected() const { return !difference(right, wrong).empty(); }
};

}  // namespace

TEST_SUITE_BEGIN("oracle");

TEST_CASE("the oracle finds what was worked out by hand") {
  const Example example;
  CHECK(difference(example.right, oracle_answer(example.question)) == "");
}

TEST_CASE("rows that a filter leaves out are never there") {
  Example example;
  Matrix<std::uint8_t> allowed(1, 7);
  for (const std::uint64_t row : {1, 2, 4}) allowed(0, row) = 1;
  example.question.allowed = allowed.view();
  example.question.k = 4;
  CHECK(difference(neighbors({1, 4, 2, no_neighbor}, {1, 3, quiet_nan, inf}), oracle_answer(example.question)) == "");
}

TEST_CASE("the rows within a radius, worked out by hand") {
  const Example example;
  const auto within = [&](Metric metric, float radius) {
    Question question = example.question;
    question.metric = metric;
    return oracle_range(question, radius);
  };
  CHECK(within(Metric::l1, 1).indices == std::vector<std::uint32_t>{6, 1, 3});
  CHECK(within(Metric::l1, 1).distances == std::vector<float>{0, 1, 1});
  CHECK(within(Metric::l1, 0).offsets == std::vector<std::uint64_t>{0, 1});
  CHECK(within(Metric::l1, -1).indices.empty());
  CHECK(within(Metric::l1, inf).indices == std::vector<std::uint32_t>{6, 1, 3, 0, 4, 5});
  CHECK(within(Metric::ip, 3).indices == std::vector<std::uint32_t>{5, 4, 0});
  CHECK(within(Metric::ip, -inf).indices.size() == 6);
}

TEST_CASE("every metric, worked out by hand") {
  const Matrix<float> database = matrix(2, {3, 4, 0, 0, -1, 1, 1, 1});
  const Matrix<float> queries = matrix(2, {0, 0});
  const Matrix<float> ones = matrix(2, {1, 2});
  const auto answer = [&](Metric metric, const Matrix<float>& asked) {
    return oracle_answer({database.view(), asked.view(), metric, 4});
  };
  CHECK(difference(neighbors({1, 2, 3, 0}, {0, 2, 2, 7}), answer(Metric::l1, queries)) == "");
  CHECK(difference(neighbors({1, 2, 3, 0}, {0, 2, 2, 25}), answer(Metric::l2sq, queries)) == "");
  const float root = std::sqrt(2.0f);
  CHECK(difference(neighbors({1, 2, 3, 0}, {0, root, root, 5}), answer(Metric::l2, queries)) == "");
  CHECK(difference(neighbors({1, 2, 3, 0}, {0, 1, 1, 4}), answer(Metric::linf, queries)) == "");
  CHECK(difference(neighbors({0, 3, 2, 1}, {11, 3, 1, 0}), answer(Metric::ip, ones)) == "");
}

TEST_CASE("inner products end with -inf, then NaN, then padding of -inf") {
  const Matrix<float> database = matrix(1, {quiet_nan, -inf, 2, -inf, inf});
  const Matrix<float> queries = matrix(1, {1});
  const Neighbors answer = oracle_answer({database.view(), queries.view(), Metric::ip, 6});
  CHECK(difference(neighbors({4, 2, 1, 3, 0, no_neighbor}, {inf, 2, -inf, -inf, quiet_nan, -inf}), answer) == "");
}

TEST_CASE("one rounding per operation, from dimension 0 on") {
  // (2^24 + 1) + 1 is 2^24 when every sum is rounded, and 2^24 + 2 when not.
  const Matrix<float> database = matrix(3, {0x1p24f, 1, 1, 1, 1, 0x1p24f});
  const Matrix<float> queries = matrix(3, {0, 0, 0});
  const Neighbors answer = oracle_answer({database.view(), queries.view(), Metric::l1, 2});
  CHECK(difference(neighbors({0, 1}, {0x1p24f, 0x1p24f + 2}), answer) == "");

  // (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24; contracted with the sum -1 it keeps the 2^-24.
  const Matrix<float> row = matrix(2, {1, 1 + 0x1p-12f});
  const Matrix<float> query = matrix(2, {-1, 1 + 0x1p-12f});
  const Neighbors product = oracle_answer({row.view(), query.view(), Metric::ip, 1});
  CHECK(product.distances(0, 0) == 0x1p-11f);
}

TEST_CASE("l2 keeps the order of l2sq where roots are equal") {
  // 1.375 squared, and the next number, have one root; row 1 is nearer.
  const Matrix<float> database = matrix(2, {1.375f, 0x1p-11f * 0.70710678f, 1.375f, 0});
  const Matrix<float> queries = matrix(2, {0, 0});
  const Neighbors squares = oracle_answer({database.view(), queries.view(), Metric::l2sq, 2});
  const Neighbors roots = oracle_answer({database.view(), queries.view(), Metric::l2, 2});
  REQUIRE(squares.distances(0, 0) < squares.distances(0, 1));
  CHECK(roots.distances(0, 0) == roots.distances(0, 1));
  CHECK(roots.indices(0, 0) == 1);
  CHECK(squares.indices(0, 0) == 1);
}

TEST_CASE("strided and column-major matrices are read as they are described") {
  const float values[] = {1, 9, 9, 2, 9, 9, 3};  // 1, 2, 3, three apart
  const float zero = 0;
  const MatrixView<float> column(values, 3, 1, 3, 1);
  const Neighbors by_rows = oracle_answer({column, {&zero, 1, 1}, Metric::l1, 3});
  CHECK(difference(neighbors({0, 1, 2}, {1, 2, 3}), by_rows) == "");
  const float zeros[] = {0, 0, 0};
  const MatrixView<float> row(values, 1, 3, 1, 3);
  const Neighbors by_columns = oracle_answer({row, {zeros, 1, 3}, Metric::l1, 1});
  CHECK(difference(neighbors({0}, {6}), by_columns) == "");
}

TEST_CASE("a wrong answer is rejected") {
  Example example;
  REQUIRE(!example.rejected());
  SUBCASE("ties swapped") { swap_ranks(example.wrong, 1, 2); }
  SUBCASE("neighbours swapped") { swap_ranks(example.wrong, 3, 4); }
  SUBCASE("index off by one") { ++example.wrong.indices(0, 3); }
  SUBCASE("last bit of a distance") { example.wrong.distances(0, 4) = std::nextafter(3.0f, inf); }
  SUBCASE("last bit the other way") { example.wrong.distances(0, 4) = std::nextafter(3.0f, 0.0f); }
  SUBCASE("smallest number instead of zero") {
    example.wrong.distances(0, 0) = std::numeric_limits<float>::denorm_min();
  }
  SUBCASE("-0 instead of +0") { example.wrong.distances(0, 0) = -0.0f; }
  SUBCASE("NaN first") {
    for (std::uint64_t rank = 6; rank > 0; --rank) swap_ranks(example.wrong, rank, rank - 1);
  }
  SUBCASE("NaN before inf") { swap_ranks(example.wrong, 5, 6); }
  SUBCASE("NaN with its sign set") { example.wrong.distances(0, 6) = -quiet_nan; }
  SUBCASE("NaN with a payload") { example.wrong.distances(0, 6) = std::bit_cast<float>(0x7FC00001u); }
  SUBCASE("NaN row left out") { example.wrong.indices(0, 6) = no_neighbor; }
  SUBCASE("NaN taken for inf") { example.wrong.distances(0, 6) = inf; }
  SUBCASE("padding with row 0") { example.wrong.indices(0, 7) = 0; }
  SUBCASE("padding with distance 0") { example.wrong.distances(0, 8) = 0; }
  SUBCASE("padding with NaN") { example.wrong.distances(0, 8) = quiet_nan; }
  SUBCASE("padding of the other sign") { example.wrong.distances(0, 8) = -inf; }
  SUBCASE("padding too early") { example.wrong.indices(0, 5) = no_neighbor; }
  SUBCASE("duplicate index") { example.wrong.indices(0, 2) = 1; }
  SUBCASE("a rank too few") { example.wrong = {Matrix<std::uint32_t>(1, 8), Matrix<float>(1, 8)}; }
  SUBCASE("a query too many") { example.wrong = {Matrix<std::uint32_t>(2, 9), Matrix<float>(2, 9)}; }
  SUBCASE("no distances") { example.wrong.distances = {}; }
  CHECK(example.rejected());
}

TEST_CASE("a difference says where, what and how much") {
  Example example;
  example.wrong.indices(0, 3) = 1;
  example.wrong.distances(0, 4) = std::nextafter(3.0f, inf);
  CHECK(difference(example.right, example.wrong) ==
        "query 0, rank 3: expected row 0 at 2 (0x40000000), got row 1 at 2 (0x40000000); "
        "2 of 9 slots differ");
}

TEST_CASE("the bounded comparison accepts what flushing explains, and nothing else") {
  // l1 distances 2^-120 x {1, 2, 3, 4, 4}, the bound is about 2^-124.
  constexpr float unit = 0x1p-120f;
  const Matrix<float> database = matrix(1, {unit, 2 * unit, 3 * unit, 4 * unit, 4 * unit});
  const Matrix<float> queries = matrix(1, {0});
  const Question question{database.view(), queries.view(), Metric::l1, 6};
  Neighbors answer = neighbors({0, 1, 2, 3, 4, no_neighbor}, {unit, 2 * unit, 3 * unit, 4 * unit, 4 * unit, inf});
  REQUIRE(difference(answer, oracle_answer(question)) == "");
  REQUIRE(incompatibility(question, answer) == "");
  Question shorter = question;
  shorter.k = 2;

  SUBCASE("a smallest normal number more is explained") {
    answer.distances(0, 1) += std::numeric_limits<float>::min();
    CHECK(incompatibility(question, answer) == "");
    return;
  }
  SUBCASE("ties in the wrong order") { swap_ranks(answer, 3, 4); }
  SUBCASE("not sorted") { swap_ranks(answer, 0, 2); }
  SUBCASE("a distance outside the bound") { answer.distances(0, 0) = 1.5f * unit; }
  SUBCASE("NaN as a distance") { answer.distances(0, 4) = quiet_nan; }
  SUBCASE("a row that does not exist") { answer.indices(0, 4) = 5; }
  SUBCASE("a row twice") { answer.indices(0, 4) = 3; }
  SUBCASE("no padding") { answer.indices(0, 5) = 0; }
  SUBCASE("padding with another distance") { answer.distances(0, 5) = 0; }
  SUBCASE("wrong shape") { answer = neighbors({0}, {unit}); }
  SUBCASE("a nearer row is missing") {
    CHECK(incompatibility(shorter, neighbors({0, 1}, {unit, 2 * unit})) == "");
    CHECK(incompatibility(shorter, neighbors({0, 2}, {unit, 3 * unit})) != "");
    return;
  }
  CHECK(incompatibility(question, answer) != "");
}

TEST_CASE("the accuracy is measured") {
  const Matrix<float> database = matrix(2, {1, 1});
  const Matrix<float> queries = matrix(2, {0, 0});
  const Question question{database.view(), queries.view(), Metric::l1, 1};
  CHECK(largest_relative_error(question, neighbors({0}, {2})) == 0.0);
  CHECK(largest_relative_error(question, neighbors({0}, {2.5})) == doctest::Approx(0.25));
  CHECK(largest_relative_error(question, neighbors({no_neighbor}, {inf})) == 0.0);

  // Canonical values keep within the bound, values off by one bit more do not for one dimension.
  for (const Metric metric : {Metric::l1, Metric::l2sq, Metric::l2, Metric::linf, Metric::ip}) {
    const Data data = make_data(Kind::gaussian, 200, 33, 5, 7);
    const Question asked{data.database.view(), data.queries.view(), metric, 200};
    const double error = largest_relative_error(asked, oracle_answer(asked));
    CHECK(error <= rounding_bound(33));
    CHECK((metric == Metric::linf || error > 0.0));
  }
}

TEST_SUITE_END();
