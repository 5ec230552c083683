// Votes of local features for images, and whether matches agree on one transformation.
#include <cmath>
#include <numeric>
#include <random>

#include "images/feature_matches.hpp"
#include "images/geometric_check.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;
using images::FeatureMatch;
using images::Keypoint;

namespace {

Neighbors neighbors_of(const std::vector<std::vector<std::pair<std::uint32_t, float>>>& lists) {
  Neighbors found{{lists.size(), lists[0].size()}, {lists.size(), lists[0].size()}};
  for (std::size_t query = 0; query < lists.size(); ++query)
    for (std::size_t slot = 0; slot < lists[query].size(); ++slot) {
      found.indices(query, slot) = lists[query][slot].first;
      found.distances(query, slot) = lists[query][slot].second;
    }
  return found;
}

struct Scene {
  std::vector<Keypoint> query, other;
  std::vector<FeatureMatch> matches;
};

constexpr float turn = 0.5f, scaling = 1.7f, shift_x = 40, shift_y = -25;

// Matches of which so many follow the transformation, and the others lead anywhere.
Scene scene(std::uint32_t right, std::uint32_t wrong) {
  std::mt19937 generator(5);
  const auto within = [&](float from, float to) {
    return from + (to - from) * static_cast<float>(generator() % 10000) / 10000;
  };
  Scene made;
  for (std::uint32_t i = 0; i < right + wrong; ++i) {
    const Keypoint from{within(0, 600), within(0, 400), within(2, 9), within(-3, 3)};
    Keypoint to{within(0, 600), within(0, 400), within(2, 9), within(-3, 3)};
    if (i < right) {
      to.x = scaling * (std::cos(turn) * from.x - std::sin(turn) * from.y) + shift_x;
      to.y = scaling * (std::sin(turn) * from.x + std::cos(turn) * from.y) + shift_y;
      to.scale = scaling * from.scale;
      to.angle = from.angle + turn;
    }
    made.query.push_back(from);
    made.other.push_back(to);
    made.matches.push_back({i, i});
  }
  return made;
}

std::vector<std::uint32_t> first_numbers(std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

}  // namespace

TEST_CASE("features vote for images of their nearer neighbours, once for each") {
  const std::vector<std::uint64_t> firsts = {0, 3, 3, 5, 9};  // image 1 has no features
  const Neighbors nearest = neighbors_of({
      {{4, 1}, {3, 2}, {0, 3}, {8, 10}},    // two of image 2, one of image 0
      {{3, 7}, {1, 7.9f}, {2, 8}, {8, 10}}  // 8 is not nearer than 0.8 of 10
  });
  const auto found = images::matched_images(nearest, firsts, no_neighbor);
  REQUIRE(found.size() == 2);
  CHECK(found[0].image == 0);  // of equally many votes the first image comes first
  CHECK(found[1].image == 2);
  REQUIRE(found[0].matches.size() == 2);
  CHECK(found[0].matches[0].query == 0);
  CHECK(found[0].matches[0].other == 0);
  CHECK(found[0].matches[1].query == 1);
  CHECK(found[0].matches[1].other == 1);
  REQUIRE(found[1].matches.size() == 2);
  CHECK(found[1].matches[0].other == 1);  // the nearer one, counted from the image's first
  CHECK(found[1].matches[1].other == 0);
  const auto others = images::matched_images(nearest, firsts, 2);
  REQUIRE(others.size() == 1);
  CHECK(others[0].image == 0);
}

TEST_CASE("an ambiguous feature votes for nothing, and neighbours that are not there count as far") {
  const std::vector<std::uint64_t> firsts = {0, 1, 2};
  CHECK(images::matched_images(neighbors_of({{{0, 9}, {1, 10}}}), firsts, no_neighbor).empty());
  const auto found = images::matched_images(neighbors_of({{{1, 9}, {no_neighbor, INFINITY}}}), firsts, no_neighbor);
  REQUIRE(found.size() == 1);
  CHECK(found[0].image == 1);
}

TEST_CASE("the transformation of most matches is found among others") {
  for (const auto& [right, wrong] : {std::pair{40u, 60u}, std::pair{8u, 10u}, std::pair{2u, 0u}}) {
    const Scene made = scene(right, wrong);
    const images::GeometricCheck check =
        images::geometric_check(made.matches, made.query, made.other, {.tolerance = 2});
    CHECK(check.inliers == first_numbers(right));
    CHECK(check.transformation.a == doctest::Approx(scaling * std::cos(turn)).epsilon(1e-3));
    CHECK(check.transformation.b == doctest::Approx(scaling * std::sin(turn)).epsilon(1e-3));
    CHECK(check.transformation.dx == doctest::Approx(shift_x).epsilon(1e-2));
    CHECK(check.transformation.dy == doctest::Approx(shift_y).epsilon(1e-2));
  }
}

TEST_CASE("keypoints of another scale or angle do not agree, wherever they lie") {
  Scene made = scene(20, 0);
  made.other[3].scale *= 3;
  made.other[7].angle += 1.5f;
  made.other[9].angle += 6.2831853f;  // a whole turn is none
  std::vector<std::uint32_t> expected = first_numbers(20);
  std::erase(expected, 3u);
  std::erase(expected, 7u);
  CHECK(images::geometric_check(made.matches, made.query, made.other, {.tolerance = 2}).inliers == expected);
}

TEST_CASE("matches with one feature count once, and such alone are no evidence") {
  Scene made = scene(10, 0);
  for (std::uint32_t i = 5; i < 10; ++i) {
    made.query[i] = made.query[4];
    made.matches[i].other = 4;
  }
  CHECK(images::geometric_check(made.matches, made.query, made.other).inliers == first_numbers(5));
  for (FeatureMatch& match : made.matches) match.other = 0;
  CHECK(images::geometric_check(made.matches, made.query, made.other).inliers.empty());
  CHECK(images::geometric_check(std::span(made.matches).first(1), made.query, made.other).inliers.empty());
}

TEST_CASE("a pair that is a little off leads to all that agree, by a fit to those that it has") {
  Scene made = scene(40, 0);
  std::mt19937 generator(8);
  for (Keypoint& to : made.other) {
    to.x += 1.2f * (static_cast<float>(generator() % 2001) / 1000 - 1);
    to.y += 1.2f * (static_cast<float>(generator() % 2001) / 1000 - 1);
  }
  const auto check = images::geometric_check(made.matches, made.query, made.other, {.tolerance = 2, .tries = 3});
  CHECK(check.inliers == first_numbers(40));
}

TEST_CASE("by chance few matches agree, and always the same") {
  const Scene made = scene(0, 100);
  const images::GeometricCheck first = images::geometric_check(made.matches, made.query, made.other),
                               second = images::geometric_check(made.matches, made.query, made.other);
  CHECK(first.inliers == second.inliers);
  CHECK(first.inliers.size() < 6);
}
