// Local features: found again where the image was turned.
#include <cmath>
#include <random>

#include "images/local_features.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

// Discs of many sizes and greys.
Image discs(std::uint32_t side) {
  Image image = made_image(side, side, [](std::uint32_t, std::uint32_t) { return std::array<int, 3>{128, 128, 128}; });
  std::mt19937 generator(3);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(generator() % limit); };
  for (int i = 0; i < 60; ++i) {
    const std::uint32_t x = below(side), y = below(side), radius = 3 + below(14);
    const auto grey = static_cast<std::uint8_t>(below(256));
    for (std::uint32_t row = 0; row < side; ++row)
      for (std::uint32_t column = 0; column < side; ++column)
        if (std::hypot(double(column) - x, double(row) - y) < radius)
          for (std::size_t channel = 0; channel < 3; ++channel)
            image.rgb[(std::size_t{row} * side + column) * 3 + channel] = grey;
  }
  return image;
}

Image turned(const Image& image) {
  return made_image(image.height, image.width, [&](std::uint32_t x, std::uint32_t y) {
    const std::uint8_t* pixel = image.pixel(y, image.height - 1 - x);
    return std::array<int, 3>{pixel[0], pixel[1], pixel[2]};
  });
}

}  // namespace

TEST_CASE("local features are found again in the image turned by a quarter") {
  if (!images::local_features_supported()) {
    CHECK_THROWS_AS(images::local_features(discs(64), 10), Error);
    return;
  }
  const Image image = discs(160);
  const images::LocalFeatures here = images::local_features(image, 1000),
                              there = images::local_features(turned(image), 1000);
  REQUIRE(here.keypoints.size() > 40);
  REQUIRE(here.descriptors.rows() == here.keypoints.size());
  std::size_t right = 0;
  for (std::size_t i = 0; i < here.keypoints.size(); ++i) {
    std::size_t nearest = 0;
    double least = 1e30;
    for (std::size_t j = 0; j < there.keypoints.size(); ++j) {
      double sum = 0;
      for (std::size_t d = 0; d < images::descriptor_dimensions; ++d)
        sum += std::pow(double(here.descriptors(i, d)) - there.descriptors(j, d), 2);
      if (sum < least) {
        least = sum;
        nearest = j;
      }
    }
    const double x = image.height - 1 - double(here.keypoints[i].y), y = here.keypoints[i].x;
    if (std::hypot(there.keypoints[nearest].x - x, there.keypoints[nearest].y - y) < 2) ++right;
  }
  CHECK(double(right) > 0.8 * double(here.keypoints.size()));
}

TEST_CASE("the largest local features are kept, and images too small are refused") {
  if (!images::local_features_supported()) return;
  const images::LocalFeatures all = images::local_features(discs(160), 1000),
                              few = images::local_features(discs(160), 5);
  REQUIRE(few.keypoints.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(few.keypoints[i].scale == all.keypoints[i].scale);
    CHECK(few.descriptors(i, 7) == all.descriptors(i, 7));
  }
  CHECK_THROWS_AS(images::local_features(discs(8), 10), Error);
}
