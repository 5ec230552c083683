// The permutation index over vectors: what it refuses, and how it picks a fraction. Its
// answers are the conformance harness's.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "proxel/vector_permutation.hpp"
#include "refused.hpp"

using namespace proxel;
using proxel::unit::check_refused;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Matrix<float> random_matrix(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed) {
  std::mt19937 random(seed);
  Matrix<float> matrix(rows, columns);
  for (std::uint64_t i = 0; i < rows * columns; ++i)
    matrix.data()[i] = static_cast<float>(random() % 20001) / 10000.0f - 1.0f;
  return matrix;
}

}  // namespace

TEST_CASE("a vector permutation index refuses what it cannot be made of") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = random_matrix(30, 4, 1);
  const auto refused = [&](const MatrixView<float>& database, const PermutationOptions& options, const char* subject) {
    check_refused([&] { VectorPermutationIndex(*device, database, Metric::l2, options); }, subject);
  };
  refused({nullptr, 30, 4}, {}, "database");
  refused({rows.data(), 0, 4}, {}, "rows");
  refused({rows.data(), 30, 0}, {}, "dimensions");
  refused(rows.view(), {.permutants = 0}, "permutants");
  refused(rows.view(), {.permutants = 257}, "permutants");
  refused(rows.view(), {.chosen = {3, 30}}, "permutant");
  refused(rows.view(), {.prefix = 257}, "prefix");
  refused(rows.view(), {.scratch_limit = 1000}, "scratch_limit");
}

TEST_CASE("a vector permutation index refuses searches before it starts them") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = random_matrix(30, 4, 1), wide = random_matrix(3, 5, 2);
  VectorPermutationIndex index(*device, rows.view(), Metric::cosine, {.chosen = {4, 9, 4}});
  CHECK(index.size() == 30);
  CHECK(index.dimensions() == 4);
  CHECK(index.metric() == Metric::cosine);
  CHECK(std::vector<std::uint32_t>(index.permutants().begin(), index.permutants().end()) ==
        std::vector<std::uint32_t>{4, 9, 4});
  const MatrixView<float> queries = rows.view().slice(0, 2);
  check_refused([&] { index.search(wide.view(), 1, 1); }, "queries");
  check_refused([&] { index.search({nullptr, 2, 4}, 1, 1); }, "queries");
  check_refused([&] { index.search(queries, 0, 1); }, "k");
  for (const double fraction : {0.0, -1.0, 1.01, std::nan("")}) {
    check_refused([&] { index.search(queries, 1, fraction); }, "fraction");
    check_refused([&] { index.range_search(queries, 1, fraction); }, "fraction");
  }
  check_refused([&] { index.range_search(queries, not_a_number, 1); }, "radius");
  check_refused([&] { index.choose_fraction(0, 1); }, "recall");
  check_refused([&] { index.choose_fraction(1.5, 1); }, "recall");
  check_refused([&] { index.choose_fraction(0.5, 0); }, "k");
  check_refused([&] { index.choose_fraction(0.5, 1, wide.view()); }, "queries");
  // None of that has harmed it.
  CHECK(index.search({rows.data(), 0, 4}, 3, 1).indices.rows() == 0);
  CHECK(index.range_search({rows.data(), 0, 4}, 3, 1).offsets == std::vector<std::uint64_t>{0});
  CHECK(index.search(queries, 31, 0.1).indices(0, 30) == no_neighbor);
  CHECK(index.search(queries, 31, 0.1).indices(0, 29) != no_neighbor);
  CHECK(index.candidates(2, 0.1) == 3);
  CHECK(index.candidates(5, 0.1) == 5);
  CHECK(index.candidates(50, 0.1) == 30);
}

TEST_CASE("who is told of the making of a vector permutation index may end it at either half") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = random_matrix(30, 4, 1);
  for (const std::uint64_t half : {1, 2}) {
    std::vector<std::uint64_t> told;
    CHECK_THROWS_AS(VectorPermutationIndex(*device, rows.view(), Metric::l2, {},
                                           [&](std::uint64_t done, std::uint64_t total) {
      CHECK(total == 60);
      told.push_back(done);
      if (done == half * 30) throw 1;
    }),
                    int);
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(std::count(told.begin(), told.end(), 30) >= 1);
    CHECK(told.back() == half * 30);
  }
}

TEST_CASE("a planned search of a vector permutation index refuses what search() does") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = random_matrix(30, 4, 1);
  VectorPermutationIndex index(*device, rows.view(), Metric::l2);
  check_refused([&] { index.plan(0, 1, 0.5); }, "queries");
  check_refused([&] { index.plan(1, 0, 0.5); }, "k");
  check_refused([&] { index.plan(1, 1, 0); }, "fraction");
  // Multiplied by bytes and slots it comes to 0.
  check_refused([&] { index.search(rows.view(), (std::uint64_t{1} << 61) - 2, 0.5); }, "k");
  const auto plan = index.plan(3, 2, 0.5);
  CHECK(plan->requirements().queries.bytes == 3 * 4 * 4);
  CHECK(plan->requirements().indices.bytes == 3 * 2 * 4);
  const auto commands = device->create_commands(Timing::none);
  commands->begin();
  check_refused([&] { plan->record(*commands, {}); }, "queries buffer");
  check_refused([&] { index.plan_range(0, 1, 0.5); }, "queries");
  check_refused([&] { index.plan_range(1, not_a_number, 0.5); }, "radius");
  check_refused([&] { index.plan_range(1, 1, 2); }, "fraction");
  const auto within = index.plan_range(3, 2, 0.5);
  CHECK(within->requirements().offsets.bytes == 4 * 8);
  CHECK(within->requirements().indices.bytes == 4);
  check_refused([&] { within->record(*commands, {}); }, "queries buffer");
  CHECK_THROWS_WITH_AS(within->record(*commands, {}, SearchPart::count), doctest::Contains("no halves"), Error);
  CHECK_THROWS_WITH_AS(within->record(*commands, {}, SearchPart::fill), doctest::Contains("no halves"), Error);
}

TEST_CASE("queries of any layout; a row that is NaN comes last, also among candidates") {
  const auto device = open_device("cpu");
  Matrix<float> rows = random_matrix(40, 3, 3);
  rows(0, 1) = rows(7, 2) = not_a_number;
  VectorPermutationIndex index(*device, rows.view(), Metric::l1, {.permutants = 40});
  Matrix<float> across(3, 5);
  for (int query = 0; query < 5; ++query)
    for (int i = 0; i < 3; ++i) across(i, query) = rows(query + 10, i);
  const Neighbors found = index.search({across.data(), 5, 3, 1, 5}, 40, 1);
  for (int query = 0; query < 5; ++query) {
    CHECK(found.indices(query, 0) == static_cast<std::uint32_t>(query + 10));
    CHECK(found.indices(query, 38) == 0);
    CHECK(found.indices(query, 39) == 7);
    CHECK(std::isnan(found.distances(query, 39)));
  }
  CHECK(index.range_search(rows.view().slice(10, 1), INFINITY, 1).indices.size() == 38);
}

TEST_CASE("the chosen fraction reaches the recall, and little less does not") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = random_matrix(3000, 6, 4), queries = random_matrix(80, 6, 5);
  constexpr std::uint64_t k = 3;
  for (const Metric metric : {Metric::l2, Metric::ip, Metric::cosine}) {
    CAPTURE(to_string(metric));
    VectorPermutationIndex index(*device, rows.view(), metric, {.permutants = 12});
    const Neighbors exact = index.search(queries.view(), k, 1);
    const auto recall = [&](double fraction) {
      const Neighbors found = index.search(queries.view(), k, fraction);
      double hits = 0;
      for (std::uint64_t query = 0; query < queries.rows(); ++query)
        for (std::uint64_t rank = 0; rank < k; ++rank) {
          const float distance = found.distances(query, rank), farthest = exact.distances(query, k - 1);
          hits += (metric == Metric::ip ? distance >= farthest : distance <= farthest) ? 1 : 0;
        }
      return hits / static_cast<double>(k * queries.rows());
    };
    const FractionChoice choice = index.choose_fraction(0.9, k, queries.view());
    CHECK(choice.queries == 80);
    CHECK(choice.recall >= 0.9);
    CHECK(choice.recall == doctest::Approx(recall(choice.fraction)));
    CHECK(choice.fraction < 1);
    CHECK(recall(choice.fraction / 1.06) < 0.9);
    // A sample of its own: no row finds itself.
    const FractionChoice own = index.choose_fraction(0.9, k);
    CHECK(own.queries == 500);
    CHECK(own.recall >= 0.9);
    CHECK(own.fraction > 3.0 / 3000);
    CHECK(index.choose_fraction(1, k, queries.view()).recall == 1);
  }
}

TEST_CASE("a fraction is chosen where distances are NaN, and where k is more than there is") {
  const auto device = open_device("cpu");
  Matrix<float> rows = random_matrix(50, 2, 6);
  for (std::uint64_t row = 0; row < 50; row += 2) rows(row, 0) = not_a_number;
  VectorPermutationIndex index(*device, rows.view(), Metric::l2, {.permutants = 5});
  // A sample of rows that are NaN themselves is as far from everything.
  CHECK(index.choose_fraction(1, 40).recall == 1);
  CHECK(index.choose_fraction(1, 80).fraction == 1);
}
