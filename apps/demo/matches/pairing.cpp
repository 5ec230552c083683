#include "matches/pairing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace demo {
namespace {

using proxel::images::Image;

// Turns and scales about the middle of an image.
Point about_middle(Point point, const Image& image, float radians, float scale) {
  const float middle_x = static_cast<float>(image.width - 1) / 2, middle_y = static_cast<float>(image.height - 1) / 2;
  const float x = (point.x - middle_x) * scale, y = (point.y - middle_y) * scale;
  const float c = std::cos(radians), s = std::sin(radians);
  return {middle_x + c * x - s * y, middle_y + s * x + c * y};
}

float radians(float degrees) { return degrees * std::numbers::pi_v<float> / 180; }

// Between four pixels; white outside.
std::uint8_t sampled(const Image& image, Point at, int channel) {
  const float left = std::floor(at.x), top = std::floor(at.y), right_part = at.x - left, lower_part = at.y - top;
  const auto value = [&](float x, float y) {
    const bool inside = x >= 0 && y >= 0 && x < static_cast<float>(image.width) && y < static_cast<float>(image.height);
    return inside
               ? static_cast<float>(image.pixel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))[channel])
               : 255.0f;
  };
  return static_cast<std::uint8_t>(
      std::lround(std::lerp(std::lerp(value(left, top), value(left + 1, top), right_part),
                            std::lerp(value(left, top + 1), value(left + 1, top + 1), right_part), lower_part)));
}

}  // namespace

std::vector<Candidate> candidates_of(const proxel::Neighbors& two_nearest) {
  std::vector<Candidate> candidates;
  for (std::uint64_t from = 0; from < two_nearest.indices.rows(); ++from) {
    const float nearest = two_nearest.distances(from, 0), second = two_nearest.distances(from, 1);
    if (two_nearest.indices(from, 0) == proxel::no_neighbor) continue;
    // Two at no distance tell nothing apart.
    const float ratio = second == 0 ? 1 : std::isinf(second) ? 0 : nearest / second;
    candidates.push_back({static_cast<std::uint32_t>(from), two_nearest.indices(from, 0), ratio});
  }
  return candidates;
}

std::vector<Candidate> accepted(const std::vector<Candidate>& candidates, float ratio) {
  std::vector<Candidate> matches;
  std::ranges::copy_if(candidates, std::back_inserter(matches),
                       [&](const Candidate& one) { return one.ratio <= ratio; });
  return matches;
}

Image turned(const Image& image, const Turn& turn) {
  Image made{image.width, image.height, {}};
  made.rgb.reserve(image.rgb.size());
  for (std::uint32_t y = 0; y < image.height; ++y)
    for (std::uint32_t x = 0; x < image.width; ++x) {
      const Point at{static_cast<float>(x), static_cast<float>(y)};
      const Point from = about_middle(at, image, -radians(turn.degrees), 1 / turn.scale);
      for (int channel = 0; channel < 3; ++channel) made.rgb.push_back(sampled(image, from, channel));
    }
  return made;
}

Point turned(Point point, const Image& image, const Turn& turn) {
  return about_middle(point, image, radians(turn.degrees), turn.scale);
}

std::size_t agreeing(const std::vector<Candidate>& matches, const std::vector<proxel::images::Keypoint>& from,
                     const std::vector<proxel::images::Keypoint>& to, const Image& image, const Turn& turn,
                     float pixels) {
  return static_cast<std::size_t>(std::ranges::count_if(matches, [&](const Candidate& match) {
    const Point right = turned(Point{from[match.from].x, from[match.from].y}, image, turn);
    return std::hypot(right.x - to[match.to].x, right.y - to[match.to].y) <= pixels;
  }));
}

}  // namespace demo
