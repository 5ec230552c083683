#pragma once

// Images and their points when addresses are host pointers (image_features.h).

#include <array>

#include "passes/memory.hpp"
#include "proxel/arithmetic/image_feature.h"
#include "proxel/passes/image_features.h"

namespace proxel::passes {

struct ImageAt {
  const std::uint32_t* pixels;
  std::uint32_t width, height, points, columns;

  ImageAt(std::uint64_t all_pixels, std::uint64_t images, std::uint64_t number) {
    const auto* words = at<const std::uint32_t>(images) + number * image_words;
    pixels = at<const std::uint32_t>(all_pixels) + words[image_first_pixel];
    width = words[image_width];
    height = words[image_height];
    points = words[image_points];
    columns = words[image_columns];
  }
};

struct PointPlace {
  std::uint32_t x, y;
};

inline PointPlace place_of(const ImageAt& image, const std::uint32_t* places, std::uint32_t point) {
  const auto of_grid = [](std::uint32_t number, std::uint32_t count, std::uint32_t side) {
    return static_cast<std::uint32_t>((2 * std::uint64_t{number} + 1) * side / (2 * std::uint64_t{count}));
  };
  if (image.columns != 0)
    return {of_grid(point % image.columns, image.columns, image.width),
            of_grid(point / image.columns, image.points / image.columns, image.height)};
  return {static_cast<std::uint32_t>(std::uint64_t{places[2 * point]} * image.width >> 32),
          static_cast<std::uint32_t>(std::uint64_t{places[2 * point + 1]} * image.height >> 32)};
}

/// What is counted of the pairs of a window.
struct TextureSums {
  std::uint32_t squares = 0;  ///< of their differences
  std::uint32_t pairs = 0;
  std::uint32_t entropies = 0;  ///< of those alike, n log2 n each
};

inline std::array<std::uint32_t, feature_words> feature_of(const ImageFeaturesParameters& p, const ImageAt& image,
                                                           PointPlace at_pixel, const TextureSums& sums) {
  using namespace arithmetic;
  const std::uint32_t pixel = image.pixels[std::size_t{at_pixel.y} * image.width + at_pixel.x];
  const auto* lights = at<const float>(p.lights);
  const lab_coordinates lab =
      lab_of(lights[channel_of(pixel, 0)], lights[channel_of(pixel, 1)], lights[channel_of(pixel, 2)]);
  int contrast = 0, entropy = 0;
  if (sums.pairs != 0) {
    contrast = contrast_of(sums.squares, sums.pairs);
    entropy = entropy_of(at<const std::uint32_t>(p.entropies)[sums.pairs] - sums.entropies, sums.pairs);
  }
  return {weighted(position_of(at_pixel.x, image.width), p.position) |
              weighted(position_of(at_pixel.y, image.height), p.position) << 16,
          weighted(lab.lightness, p.colour) | weighted(lab.a, p.colour) << 16,
          weighted(lab.b, p.colour) | weighted(contrast, p.texture) << 16, weighted(entropy, p.texture)};
}

}  // namespace proxel::passes
