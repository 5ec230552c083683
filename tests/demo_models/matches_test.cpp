// The tab Matches, without a window.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "matches/cloud.hpp"
#include "matches/pairing.hpp"
#include "proxel/index.hpp"

using namespace demo;
namespace images = proxel::images;

namespace {

images::Image spots(std::uint32_t width, std::uint32_t height) {
  images::Image image{width, height, {}};
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x) {
      const auto grey =
          static_cast<std::uint8_t>(128 + 60 * std::sin(0.31 * x + 0.002 * x * y) + 60 * std::cos(0.23 * y));
      image.rgb.insert(image.rgb.end(), {grey, grey, grey});
    }
  return image;
}

}  // namespace

TEST_CASE("the ratio of the two nearest says how sure a match is") {
  proxel::Neighbors found{{4, 2}, {4, 2}};
  const std::uint32_t indices[] = {7, 3, 2, 9, 5, proxel::no_neighbor, 4, 6};
  const float distances[] = {1, 4, 3, 3, 2, INFINITY, 0, 0};
  std::ranges::copy(indices, found.indices.data());
  std::ranges::copy(distances, found.distances.data());
  const auto candidates = candidates_of(found);
  REQUIRE(candidates.size() == 4);
  CHECK(candidates[0].ratio == 0.25f);
  CHECK(candidates[1].ratio == 1);
  CHECK(candidates[2].ratio == 0);  // there is no other
  CHECK(candidates[3].ratio == 1);  // two that are the same
  const auto sure = accepted(candidates, 0.8f);
  REQUIRE(sure.size() == 2);
  CHECK(sure[0].to == 7);
  CHECK(sure[1].from == 2);
}

TEST_CASE("an image is turned and scaled about its middle") {
  const images::Image image = spots(61, 41);
  CHECK(turned(image, {}).rgb == image.rgb);
  const images::Image half = turned(image, {180, 1});
  for (std::uint32_t y = 1; y < 40; ++y)
    for (std::uint32_t x = 1; x < 60; ++x) CHECK(std::abs(half.pixel(x, y)[0] - image.pixel(60 - x, 40 - y)[0]) <= 1);
  const Point gone = turned(Point{40, 20}, image, {90, 2});
  CHECK(gone.x == doctest::Approx(30));
  CHECK(gone.y == doctest::Approx(40));
  const images::Image small = turned(image, {0, 0.5f});
  CHECK(small.pixel(0, 0)[0] == 255);  // nothing was there
  CHECK(small.pixel(30, 20)[0] == image.pixel(30, 20)[0]);
}

TEST_CASE("matches that lead elsewhere do not agree") {
  const images::Image image = spots(100, 100);
  const Turn turn{90, 1};
  const std::vector<images::Keypoint> from = {{60, 50}, {20, 30}};
  std::vector<images::Keypoint> to;
  for (const images::Keypoint& one : from) {
    const Point gone = turned(Point{one.x, one.y}, image, turn);
    to.push_back({gone.x + 1, gone.y});
  }
  const std::vector<Candidate> right = {{0, 0, 0.5f}, {1, 1, 0.5f}}, wrong = {{0, 1, 0.5f}, {1, 0, 0.5f}};
  CHECK(agreeing(right, from, to, image, turn, 2) == 2);
  CHECK(agreeing(right, from, to, image, turn, 0.5f) == 0);
  CHECK(agreeing(wrong, from, to, image, turn, 2) == 0);
}

TEST_CASE("local features of a turned image lead where it was turned") {
  if (!images::local_features_supported()) return;
  const images::Image image = spots(160, 140);
  const Turn turn{30, 0.8f};
  const images::LocalFeatures here = images::local_features(image, 500),
                              there = images::local_features(turned(image, turn), 500);
  REQUIRE(here.keypoints.size() > 20);
  const auto device = proxel::open_device("cpu");
  proxel::Index index(*device, there.descriptors.view());
  const auto matches = accepted(candidates_of(index.search(here.descriptors.view(), 2, proxel::Metric::l2)), 0.7f);
  REQUIRE(matches.size() > 5);
  CHECK(double(agreeing(matches, here.keypoints, there.keypoints, image, turn, 3)) > 0.8 * double(matches.size()));
}

TEST_CASE("points drift, and stay where they may be") {
  for (const std::uint32_t dimensions : {2u, 3u})
    for (const Cloud::Kind kind : {Cloud::Kind::uniform, Cloud::Kind::clusters}) {
      Cloud cloud(500, dimensions, kind);
      const proxel::Matrix<float> before = cloud.places();
      CHECK(before == Cloud(500, dimensions, kind).places());
      for (int i = 0; i < 600; ++i) cloud.advance(0.1f);
      std::size_t moved = 0;
      for (std::uint32_t point = 0; point < 500; ++point)
        for (std::uint32_t d = 0; d < dimensions; ++d) {
          CHECK(std::fabs(cloud.places()(point, d)) <= Cloud::half_side(d));
          if (cloud.places()(point, d) != before(point, d)) ++moved;
        }
      CHECK(moved > 490 * dimensions);
    }
}

TEST_CASE("dragging takes along what is near") {
  Cloud cloud(2000, 2, Cloud::Kind::uniform);
  const proxel::Matrix<float> before = cloud.places();
  cloud.drag(0.1f, 0.2f, 0.05f, -0.02f, 0.3f);
  std::size_t moved = 0;
  for (std::uint32_t point = 0; point < 2000; ++point) {
    const float distance = std::hypot(before(point, 0) - 0.1f, before(point, 1) - 0.2f);
    const float by = cloud.places()(point, 0) - before(point, 0);
    if (distance >= 0.3f)
      CHECK(by == 0);
    else
      CHECK(by == doctest::Approx(0.05 * (1 - distance * distance / 0.09)).epsilon(1e-3));
    if (by != 0) ++moved;
  }
  CHECK(moved > 50);
}

TEST_CASE("what is drawn at a place is found again under it") {
  for (const float shape : {0.5f, 1.0f, 1.8f}) {
    Camera camera;
    camera.zoom = 1.3f;
    const auto matrix = camera.matrix(2, shape);
    const float x = 0.3f, y = -0.7f;
    const float drawn_x = matrix[0] * x + matrix[4] * y + matrix[12],
                drawn_y = matrix[1] * x + matrix[5] * y + matrix[13];
    const PlanePoint back = plane_point(drawn_x, drawn_y, shape, camera.zoom);
    CHECK(back.x == doctest::Approx(x));
    CHECK(back.y == doctest::Approx(y));
  }
  // In three dimensions the middle is at w = 1, and every corner of the box before the camera.
  Camera camera;
  for (const float turn : {0.0f, 1.0f, 2.5f, 4.0f}) {
    camera.turn = turn;
    const auto matrix = camera.matrix(3, 1.6f);
    CHECK(matrix[15] == doctest::Approx(1));
    for (int corner = 0; corner < 8; ++corner) {
      const float x = corner & 1 ? 1.5f : -1.5f, y = corner & 2 ? 1 : -1, z = corner & 4 ? 1 : -1;
      CHECK(matrix[3] * x + matrix[7] * y + matrix[11] * z + matrix[15] > 0.3f);
    }
  }
}
