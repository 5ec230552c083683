#include "proxel/passes/image_features.h"

#include "passes/grids.hpp"
#include "passes/image_points.hpp"
#include "passes/reference.hpp"

namespace proxel {
namespace {

using namespace passes;

// Every pair of the window, and then every kind of pair.
TextureSums texture_around(const ImageFeaturesParameters& p, const ImageAt& image, PointPlace place) {
  TextureSums sums;
  std::array<std::uint32_t, arithmetic::level_pairs> counts{};
  const std::uint32_t left = place.x - std::min(place.x, p.window), top = place.y - std::min(place.y, p.window);
  const std::uint32_t right = std::min(place.x + p.window, image.width - 1);
  const std::uint32_t bottom = std::min(place.y + p.window, image.height - 1);
  const auto level = [&](std::uint32_t x, std::uint32_t y) {
    return arithmetic::grey_level(image.pixels[std::size_t{y} * image.width + x]);
  };
  const auto count = [&](std::uint32_t one, std::uint32_t other) {
    ++counts[arithmetic::level_pair(one, other)];
    ++sums.pairs;
    sums.squares += (one - other) * (one - other);
  };
  for (std::uint32_t y = top; y <= bottom; ++y)
    for (std::uint32_t x = left; x <= right; ++x) {
      if (x < right) count(level(x, y), level(x + 1, y));
      if (y < bottom) count(level(x, y), level(x, y + 1));
    }
  for (const std::uint32_t alike : counts) sums.entropies += at<const std::uint32_t>(p.entropies)[alike];
  return sums;
}

}  // namespace

Pass passes::make_image_features(const ImageFeaturesParameters& parameters) {
  const std::uint64_t groups = parameters.image_count * divide_up(parameters.points, common_workgroup);
  const auto grid = static_cast<std::uint32_t>(std::min<std::uint64_t>(groups, largest_grid_extent));
  return make_pass(image_features, parameters, {}, {grid, 1, 1}, common_workgroup);
}

PROXEL_THREADED_PASS(image_features)(const Pass& pass) {
  const auto p = pass.as<ImageFeaturesParameters>();
  auto* features = at<std::uint32_t>(p.features);
  for (std::uint64_t i = 0; i < p.image_count; ++i) {
    const ImageAt image(p.pixels, p.images, i);
    for (std::uint32_t point = 0; point < image.points; ++point) {
      const PointPlace place = place_of(image, at<const std::uint32_t>(p.places), point);
      const auto words = feature_of(p, image, place, texture_around(p, image, place));
      std::copy(words.begin(), words.end(), features + (i * p.points + point) * feature_words);
    }
  }
}

}  // namespace proxel
