// The rule for bounded metrics is tested with answers that keep it and with
// answers known to be wrong; the oracle's own values with ones worked out by hand.
#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "compatibility.hpp"
#include "oracle.hpp"

using namespace proxel;
using namespace proxel::conformance;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();
constexpr double bound = 1e-3;
constexpr std::uint64_t rows = 10;

Neighbors answer(std::initializer_list<std::uint32_t> indices, std::initializer_list<float> distances) {
  Neighbors result{Matrix<std::uint32_t>(1, indices.size()), Matrix<float>(1, distances.size())};
  std::copy(indices.begin(), indices.end(), result.indices.data());
  std::copy(distances.begin(), distances.end(), result.distances.data());
  return result;
}

const Neighbors right = answer({4, 2, 7, 1}, {0.1f, 0.2f, 0.2005f, 0.9f});

bool compatible(const Neighbors& other) {
  const bool one_way = bounded_difference(right, other, rows, bound).empty();
  // The rule favours neither answer.
  CHECK(bounded_difference(other, right, rows, bound).empty() == one_way);
  return one_way;
}

float only_distance(Metric metric, std::initializer_list<float> query, std::initializer_list<float> row) {
  const std::uint64_t d = query.size();
  const Question question{{row.begin(), 1, d}, {query.begin(), 1, d}, metric, 1};
  return oracle_answer(question).distances(0, 0);
}

}  // namespace

TEST_SUITE_BEGIN("oracle");

TEST_CASE("answers within the bound are the same") {
  CHECK(compatible(right));
  CHECK(compatible(answer({4, 2, 7, 1}, {0.1004f, 0.2003f, 0.2008f, 0.8995f})));
  // Neighbours nearer to each other than the bound in the other order.
  CHECK(compatible(answer({4, 7, 2, 1}, {0.1f, 0.2f, 0.2005f, 0.9f})));
  // Another k-th, as far away give or take the bound.
  CHECK(compatible(answer({4, 2, 7, 3}, {0.1f, 0.2f, 0.2005f, 0.9005f})));
}

TEST_CASE("wrong answers to a bounded metric are rejected") {
  // A distance further off than the bound.
  CHECK(!compatible(answer({4, 2, 7, 1}, {0.1f, 0.2f, 0.2005f, 0.902f})));
  CHECK(!compatible(answer({4, 2, 7, 1}, {0.1015f, 0.2f, 0.2005f, 0.9f})));
  // Not sorted.
  CHECK(!compatible(answer({2, 4, 7, 1}, {0.2f, 0.1f, 0.2005f, 0.9f})));
  CHECK(!compatible(answer({4, 7, 2, 1}, {0.1f, 0.2005f, 0.2f, 0.9f})));
  // A near neighbour is missing, with another in its place.
  CHECK(!compatible(answer({4, 7, 3, 1}, {0.1f, 0.2005f, 0.3f, 0.9f})));
  CHECK(!compatible(answer({2, 7, 1, 3}, {0.2f, 0.2005f, 0.9f, 0.9f})));
  // A neighbour that is nearer than any that was expected.
  CHECK(!compatible(answer({3, 4, 2, 7}, {0.05f, 0.1f, 0.2f, 0.2005f})));
  // Twice the same, one that does not exist, padding where there are rows.
  CHECK(!compatible(answer({4, 2, 2, 1}, {0.1f, 0.2f, 0.2005f, 0.9f})));
  CHECK(!compatible(answer({4, 2, 7, 10}, {0.1f, 0.2f, 0.2005f, 0.9f})));
  CHECK(!compatible(answer({4, 2, 7, no_neighbor}, {0.1f, 0.2f, 0.2005f, inf})));
  // NaN where there is a number.
  CHECK(!compatible(answer({4, 2, 7, 1}, {0.1f, 0.2f, 0.2005f, quiet_nan})));
  // Another shape.
  CHECK(!compatible(answer({4, 2, 7}, {0.1f, 0.2f, 0.2005f})));
}

TEST_CASE("NaN and padding at the end of bounded answers") {
  const Neighbors expected = answer({4, 2, 7, no_neighbor}, {0.1f, 1.0f, quiet_nan, inf});
  CHECK(bounded_difference(expected, expected, 3 + rows, bound).empty());
  // All rows are nearer than padding.
  CHECK(!bounded_difference(expected, answer({4, 2, no_neighbor, no_neighbor}, {0.1f, 1.0f, inf, inf}), rows, bound)
             .empty());
  CHECK(
      !bounded_difference(expected, answer({4, 2, 3, no_neighbor}, {0.1f, 1.0f, quiet_nan, inf}), rows, bound).empty());
  CHECK(
      !bounded_difference(expected, answer({4, 7, 2, no_neighbor}, {0.1f, quiet_nan, 1.0f, inf}), rows, bound).empty());
  CHECK(!bounded_difference(expected, answer({4, 2, 7, no_neighbor}, {0.1f, 1.0f, quiet_nan, -inf}), rows, bound)
             .empty());
  // A NaN as the last shuts no number out.
  CHECK(!bounded_difference(answer({4, 7}, {0.1f, quiet_nan}), answer({4, 2}, {0.1f, 1.5f}), rows, bound).empty());
}

TEST_CASE("angles and correlations, worked out by hand") {
  CHECK(only_distance(Metric::cosine, {1, 0}, {3, 0}) == 0.0f);
  CHECK(only_distance(Metric::cosine, {1, 0}, {0, 5}) == 1.0f);
  CHECK(only_distance(Metric::cosine, {2, 0}, {-7, 0}) == 2.0f);
  CHECK(only_distance(Metric::cosine, {1, 0}, {1, 1}) == doctest::Approx(1 - std::sqrt(0.5)));
  CHECK(only_distance(Metric::cosine, {0, 0}, {1, 1}) == 1.0f);
  CHECK(std::isnan(only_distance(Metric::cosine, {1, 0}, {inf, 1})));
  CHECK(std::isnan(only_distance(Metric::cosine, {0, 0}, {quiet_nan, 1})));
  CHECK(only_distance(Metric::cosine, {1e30f, 1e30f}, {1e-30f, 1e-30f}) == doctest::Approx(0.0));
  CHECK(only_distance(Metric::pearson, {1, 2, 3}, {10, 20, 30}) == doctest::Approx(0.0));
  CHECK(only_distance(Metric::pearson, {1, 2, 3}, {3, 2, 1}) == doctest::Approx(2.0));
  CHECK(only_distance(Metric::pearson, {1, 2, 3}, {1, 0, 1}) == doctest::Approx(1.0));
  CHECK(only_distance(Metric::pearson, {1, 2, 4}, {1, 3, 2}) == doctest::Approx(1 - 1.0 / std::sqrt(28.0 / 3.0)));
  CHECK(only_distance(Metric::pearson, {0.1f, 0.1f, 0.1f}, {3, 2, 1}) == 1.0f);
}

TEST_SUITE_END();
