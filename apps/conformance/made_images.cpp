#include "made_images.hpp"

#include <random>

namespace proxel::conformance {
namespace {

using Colour = std::array<std::uint8_t, 3>;

Colour any_colour(std::mt19937_64& random) {
  const std::uint64_t bits = random();
  return {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8), static_cast<std::uint8_t>(bits >> 16)};
}

Colour grey_of(std::uint64_t level) {
  const auto channel = static_cast<std::uint8_t>(level);
  return {channel, channel, channel};
}

}  // namespace

const char* name_of(Picture picture) {
  constexpr const char* names[] = {"noise", "plain", "grey", "chequered", "blocks"};
  return names[static_cast<std::size_t>(picture)];
}

std::array<int, 3> MadeImage::at(std::uint32_t x, std::uint32_t y) const {
  const std::uint8_t* pixel = rgb.data() + (std::size_t{y} * width + x) * 3;
  return {pixel[0], pixel[1], pixel[2]};
}

MadeImage make_image(Picture picture, std::uint32_t width, std::uint32_t height, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::array<Colour, 16> colours;
  for (Colour& colour : colours) colour = any_colour(random);
  MadeImage image{width, height, {}};
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x) {
      Colour colour = colours[0];
      if (picture == Picture::noise) colour = any_colour(random);
      if (picture == Picture::grey) colour = grey_of(255 * std::uint64_t{x} / width);
      if (picture == Picture::chequered) colour = grey_of((x + y) % 2 * 255);
      if (picture == Picture::blocks) colour = colours[y * 4 / height * 4 + x * 4 / width];
      image.rgb.insert(image.rgb.end(), colour.begin(), colour.end());
    }
  return image;
}

std::vector<std::uint32_t> words_of(const MadeImage& image) {
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    words.push_back(image.rgb[i] | std::uint32_t{image.rgb[i + 1]} << 8 | std::uint32_t{image.rgb[i + 2]} << 16 |
                    static_cast<std::uint32_t>(37 * i) << 24);
  return words;
}

}  // namespace proxel::conformance
