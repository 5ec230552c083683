// Position, colour and texture of sampled points.

#include <algorithm>
#include <cmath>
#include <random>

#include "images/colour.hpp"
#include "images/image_signature.hpp"

namespace proxel::images {
namespace {

constexpr std::size_t grey_levels = 16;
/// Unordered pairs of them.
constexpr std::size_t level_pairs = grey_levels * (grey_levels + 1) / 2;

struct Position {
  std::uint32_t x, y;
};

std::vector<std::uint8_t> levels_of(const Image& image) {
  std::vector<std::uint8_t> levels;
  levels.reserve(image.rgb.size() / 3);
  // The weights of ITU-R BT.601 in parts of 256.
  for (const std::uint8_t* pixel = image.rgb.data(); pixel != image.rgb.data() + image.rgb.size(); pixel += 3)
    levels.push_back(static_cast<std::uint8_t>((77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2] + 128) >> 12));
  return levels;
}

std::vector<Position> grid(const Image& image, std::uint32_t points) {
  const double across = std::sqrt(static_cast<double>(points) * image.width / image.height);
  const auto columns = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(across + 0.5), 1, points);
  const std::uint64_t rows = points / columns;
  std::vector<Position> positions;
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint64_t column = 0; column < columns; ++column)
      positions.push_back({static_cast<std::uint32_t>((2 * column + 1) * image.width / (2 * columns)),
                           static_cast<std::uint32_t>((2 * row + 1) * image.height / (2 * rows))});
  return positions;
}

// How often levels stand beside each other in a window, from which contrast and entropy
// follow (Haralick, Shanmugam, Dinstein 1973).
class Texture {
 public:
  Texture(const Image& image, std::uint32_t window, const std::vector<double>& times_logarithm)
      : image_(image), levels_(levels_of(image)), window_(window), times_logarithm_(times_logarithm) {}

  struct Values {
    double contrast, entropy;
  };

  Values around(Position at) {
    counts_.fill(0);
    pairs_ = 0;
    const std::uint32_t left = at.x - std::min(at.x, window_), right = std::min(at.x + window_, image_.width - 1);
    const std::uint32_t top = at.y - std::min(at.y, window_), bottom = std::min(at.y + window_, image_.height - 1);
    for (std::uint32_t y = top; y <= bottom; ++y) {
      const std::uint8_t* level = levels_.data() + std::size_t{y} * image_.width;
      for (std::uint32_t x = left; x < right; ++x) count(level[x], level[x + 1]);
      if (y == bottom) break;
      for (std::uint32_t x = left; x <= right; ++x) count(level[x], level[x + image_.width]);
    }
    if (pairs_ == 0) return {0, 0};
    std::uint32_t squares = 0;
    double sum = 0;
    for (std::size_t high = 0; high < grey_levels; ++high)
      for (std::size_t low = 0; low <= high; ++low) {
        const std::uint32_t each = counts_[high * grey_levels + low];
        squares += each * static_cast<std::uint32_t>((high - low) * (high - low));
        sum += times_logarithm_[each];
      }
    const double most = static_cast<double>(grey_levels - 1);
    return {std::sqrt(static_cast<double>(squares) / pairs_) / most,
            (times_logarithm_[pairs_] - sum) / pairs_ / binary_logarithm(static_cast<double>(level_pairs))};
  }

 private:
  void count(std::uint8_t a, std::uint8_t b) {
    ++counts_[std::max(a, b) * grey_levels + std::min(a, b)];
    ++pairs_;
  }

  const Image& image_;
  std::vector<std::uint8_t> levels_;
  std::uint32_t window_;
  const std::vector<double>& times_logarithm_;
  std::array<std::uint32_t, grey_levels * grey_levels> counts_{};
  std::uint32_t pairs_ = 0;
};

}  // namespace

SignatureExtractor::SignatureExtractor(const SignatureOptions& options) : options_(options) {
  check(options);
  // The standard says what this generator gives, unlike its distributions.
  std::mt19937_64 random(options.seed);
  if (options.sampling == Sampling::random)
    for (std::uint32_t i = 0; i < options.points; ++i) {
      const std::uint64_t bits = random();
      places_.push_back({static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)});
    }
  const std::size_t side = 2 * std::size_t{options.window} + 1;
  times_logarithm_.push_back(0);
  for (std::size_t n = 1; n <= 2 * side * (side - 1); ++n) {
    const auto number = static_cast<double>(n);
    times_logarithm_.push_back(number * binary_logarithm(number));
  }
}

std::vector<Feature> SignatureExtractor::features(const Image& given) const {
  const Image image = reduced(given, options_.longest_side);
  std::vector<Position> positions;
  if (options_.sampling == Sampling::grid) positions = grid(image, options_.points);
  for (const auto& [x, y] : places_)
    positions.push_back({static_cast<std::uint32_t>(std::uint64_t{x} * image.width >> 32),
                         static_cast<std::uint32_t>(std::uint64_t{y} * image.height >> 32)});
  Texture texture(image, options_.window, times_logarithm_);
  std::vector<Feature> features;
  features.reserve(positions.size());
  for (const Position& at : positions) {
    const std::uint8_t* pixel = image.pixel(at.x, at.y);
    const auto [lightness, a, b] = lab_of(pixel[0], pixel[1], pixel[2]);
    const auto [contrast, entropy] = texture.around(at);
    const auto scaled = [](double value, float by) { return static_cast<float>(value * by); };
    features.push_back(
        {scaled((at.x + 0.5) / image.width, options_.position), scaled((at.y + 0.5) / image.height, options_.position),
         scaled(lightness / 100, options_.colour), scaled(a / 100, options_.colour), scaled(b / 100, options_.colour),
         scaled(contrast, options_.texture), scaled(entropy, options_.texture)});
  }
  return features;
}

ImageSignature SignatureExtractor::extract(const Image& image) const { return clustered(features(image), options_); }

}  // namespace proxel::images
