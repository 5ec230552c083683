// The oracle of signatures by values worked out by hand, and its rules by answers known to be wrong.
#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "sqfd_oracle.hpp"

using namespace proxel;
using namespace proxel::conformance;

namespace {

// Distances 0.1, 0.2, 0.3 and 0.4, exactly.
const SquaredDistances right = {1, 4, {0.01, 0.04, 0.09, 0.16}, {1e-6, 1e-6, 1e-6, 1e-6}};

Neighbors answer(std::initializer_list<std::uint32_t> indices, std::initializer_list<float> distances) {
  Neighbors result{Matrix<std::uint32_t>(1, indices.size()), Matrix<float>(1, distances.size())};
  std::copy(indices.begin(), indices.end(), result.indices.data());
  std::copy(distances.begin(), distances.end(), result.distances.data());
  return result;
}

RangeNeighbors within(std::vector<std::uint32_t> indices, std::vector<float> distances) {
  return {{0, indices.size()}, std::move(indices), std::move(distances)};
}

}  // namespace

TEST_SUITE_BEGIN("oracle");

TEST_CASE("squared distances of signatures, by hand") {
  Signatures one(1), other(1);
  one.add(std::vector<float>{0}, std::vector<float>{1});
  other.add(std::vector<float>{2}, std::vector<float>{1});
  other.add(std::vector<float>{0, 2}, std::vector<float>{0.5f, 0.5f});
  // 1 + 1 - 2 e^(-alpha 4)
  CHECK(oracle_squared_distance(one, 0, other, 0, 0.5) == doctest::Approx(2 - 2 * std::exp(-2.0)));
  // 1 + (1 + e^-2) / 2 - (1 + e^-2)
  CHECK(oracle_squared_distance(one, 0, other, 1, 0.5) == doctest::Approx(1 - (1 + std::exp(-2.0)) / 2));
  CHECK(oracle_squared_distance(other, 1, other, 1, 3) == 0);
}

TEST_CASE("right answers among signatures are accepted, wrong ones are not") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  CHECK(wrong_nearest(right, answer({0, 1}, {0.1f, 0.2f})).empty());
  CHECK(wrong_nearest(right, answer({0, 1}, {0.1000001f, 0.2f})).empty());
  CHECK(wrong_nearest(right, answer({0, 1, 2, 3, no_neighbor}, {0.1f, 0.2f, 0.3f, 0.4f, inf})).empty());
  CHECK(!wrong_nearest(right, answer({0, 2}, {0.1f, 0.3f})).empty());    // one is missing
  CHECK(!wrong_nearest(right, answer({0, 1}, {0.1f, 0.201f})).empty());  // another distance
  CHECK(!wrong_nearest(right, answer({1, 0}, {0.2f, 0.1f})).empty());    // not sorted
  CHECK(!wrong_nearest(right, answer({0, 0}, {0.1f, 0.1f})).empty());    // one twice
  CHECK(!wrong_nearest(right, answer({0, 7}, {0.1f, 0.2f})).empty());    // none of them
  CHECK(!wrong_nearest(right, answer({0, 1, 2, 3, 0}, {0.1f, 0.2f, 0.3f, 0.4f, inf})).empty());

  CHECK(wrong_within(right, 0.25f, within({0, 1}, {0.1f, 0.2f})).empty());
  CHECK(!wrong_within(right, 0.25f, within({0}, {0.1f})).empty());
  CHECK(!wrong_within(right, 0.25f, within({0, 1, 2}, {0.1f, 0.2f, 0.3f})).empty());
  CHECK(!wrong_within(right, 0.25f, within({1, 0}, {0.2f, 0.1f})).empty());
  CHECK(wrong_within(right, -1, within({}, {})).empty());
}

TEST_SUITE_END();
