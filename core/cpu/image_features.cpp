// Points by several threads; levels of grey are found once a pixel, and pairs are counted as they come.

#include "passes/image_points.hpp"

#include <vector>

#include "cpu/machine.hpp"
#include "passes/grids.hpp"

namespace proxel::cpu {
namespace {

using namespace passes;

constexpr std::uint32_t points_at_a_time = 256;

// level_pair() by looking it up.
constexpr auto pair_of_levels = [] {
  std::array<std::array<std::uint8_t, arithmetic::grey_levels>, arithmetic::grey_levels> pairs{};
  for (std::size_t one = 0; one < pairs.size(); ++one)
    for (std::size_t other = 0; other < pairs.size(); ++other) {
      const std::size_t high = std::max(one, other);
      pairs[one][other] = static_cast<std::uint8_t>(high * (high + 1) / 2 + std::min(one, other));
    }
  return pairs;
}();

class Texture {
 public:
  Texture(const ImageFeaturesParameters& p, const ImageAt& image, const std::uint8_t* levels)
      : window_(p.window), entropies_(at<const std::uint32_t>(p.entropies)), image_(image), levels_(levels) {}

  TextureSums around(PointPlace place) {
    counts_.fill(0);
    sums_ = {};
    const std::uint32_t left = place.x - std::min(place.x, window_), top = place.y - std::min(place.y, window_);
    const std::uint32_t right = std::min(place.x + window_, image_.width - 1);
    const std::uint32_t bottom = std::min(place.y + window_, image_.height - 1);
    for (std::uint32_t y = top; y <= bottom; ++y) {
      const std::uint8_t* level = levels_ + std::size_t{y} * image_.width;
      for (std::uint32_t x = left; x < right; ++x) count(level[x], level[x + 1]);
      if (y == bottom) break;
      for (std::uint32_t x = left; x <= right; ++x) count(level[x], level[x + image_.width]);
    }
    return sums_;
  }

 private:
  void count(std::uint32_t one, std::uint32_t other) {
    std::uint16_t& alike = counts_[pair_of_levels[one][other]];
    sums_.entropies += entropies_[alike + 1] - entropies_[alike];
    ++alike;
    ++sums_.pairs;
    sums_.squares += (one - other) * (one - other);
  }

  std::uint32_t window_;
  const std::uint32_t* entropies_;
  const ImageAt& image_;
  const std::uint8_t* levels_;
  std::array<std::uint16_t, arithmetic::level_pairs> counts_{};
  TextureSums sums_;
};

}  // namespace

void image_features(const Pass& pass, Machine& machine) {
  const auto p = pass.as<ImageFeaturesParameters>();
  std::vector<std::vector<std::uint8_t>> levels(p.image_count);
  machine.workers.for_each(p.image_count, [&](std::uint64_t i) {
    const ImageAt image(p.pixels, p.images, i);
    const std::size_t pixels = std::size_t{image.width} * image.height;
    levels[i].resize(pixels);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel)
      levels[i][pixel] = static_cast<std::uint8_t>(arithmetic::grey_level(image.pixels[pixel]));
  });
  const std::uint64_t parts = divide_up(p.points, points_at_a_time);
  machine.workers.for_each(p.image_count * parts, [&](std::uint64_t item) {
    const std::uint64_t number = item / parts;
    const auto first = static_cast<std::uint32_t>(item % parts * points_at_a_time);
    const ImageAt image(p.pixels, p.images, number);
    Texture texture(p, image, levels[number].data());
    auto* features = at<std::uint32_t>(p.features) + number * p.points * feature_words;
    for (std::uint32_t point = first; point < std::min(first + points_at_a_time, image.points); ++point) {
      const PointPlace place = place_of(image, at<const std::uint32_t>(p.places), point);
      const auto words = feature_of(p, image, place, texture.around(place));
      std::copy(words.begin(), words.end(), features + std::size_t{point} * feature_words);
    }
  });
}

}  // namespace proxel::cpu
