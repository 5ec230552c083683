#include "matches/cloud.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace demo {
namespace {

constexpr std::uint32_t clusters = 14;
constexpr float cluster_spread = 0.17f, speed = 0.07f;
constexpr float margin = 0.95f;  // of the picture is the box

// Box-Muller, because the standard's normal distribution differs between libraries.
class Random {
 public:
  float uniform() { return static_cast<float>(generator_() >> 8) * 0x1p-24f; }
  float normal() {
    const float radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi_v<float> * uniform());
  }

 private:
  std::mt19937 generator_{1};
};

// What 1 is in a picture whose height is 2, so that the box fits.
float unit(float width_by_height) {
  return margin * std::min(1 / Cloud::half_side(1), width_by_height / Cloud::half_side(0));
}

}  // namespace

Cloud::Cloud(std::uint32_t count, std::uint32_t dimensions, Kind kind)
    : places_(count, dimensions), speeds_(count, dimensions) {
  Random random;
  std::array<std::array<float, 3>, clusters> middles{};
  for (auto& middle : middles)
    for (std::uint32_t d = 0; d < 3; ++d) middle[d] = (1.8f * random.uniform() - 0.9f) * half_side(d);
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      const float place = kind == Kind::uniform ? (2 * random.uniform() - 1) * half_side(d)
                                                : middles[i % clusters][d] + cluster_spread * random.normal();
      places_(i, d) = std::clamp(place, -half_side(d), half_side(d));
      speeds_(i, d) = speed * random.normal();
    }
}

void Cloud::advance(float seconds) {
  for (std::uint32_t i = 0; i < size(); ++i)
    for (std::uint32_t d = 0; d < dimensions(); ++d) {
      float& place = places_(i, d);
      place += speeds_(i, d) * seconds;
      if (std::fabs(place) <= half_side(d)) continue;
      speeds_(i, d) = -speeds_(i, d);
      place = std::clamp(place, -half_side(d), half_side(d));
    }
}

void Cloud::drag(float x, float y, float by_x, float by_y, float radius) {
  for (std::uint32_t i = 0; i < size(); ++i) {
    const float distance = std::hypot(places_(i, 0) - x, places_(i, 1) - y);
    if (distance >= radius) continue;
    const float part = 1 - (distance / radius) * (distance / radius);
    places_(i, 0) = std::clamp(places_(i, 0) + part * by_x, -half_side(0), half_side(0));
    places_(i, 1) = std::clamp(places_(i, 1) + part * by_y, -half_side(1), half_side(1));
  }
}

std::array<float, 16> Camera::matrix(std::uint32_t dimensions, float width_by_height) const {
  const float down = zoom * unit(width_by_height), across = down / width_by_height;
  if (dimensions == 2) return {across, 0, 0, 0, 0, down, 0, 0, 0, 0, 0, 0, 0, 0, 0.5f, 1};
  constexpr float distance = 4.2f, lens = 0.72f * distance, near = 0.1f;
  const float c = std::cos(turn), s = std::sin(turn), up = std::cos(tilt), forward = std::sin(tilt);
  // Turned about the vertical, tilted, and moved away; depth is not tested, so that all of it is "far enough".
  const float x[4] = {c, 0, -s, 0}, y[4] = {s * forward, -up, c * forward, 0},
              z[4] = {s * up, forward, c * up, distance};
  std::array<float, 16> matrix{};
  for (std::size_t column = 0; column < 4; ++column) {
    matrix[4 * column + 0] = lens * across * x[column] / distance;
    matrix[4 * column + 1] = lens * down * y[column] / distance;
    matrix[4 * column + 2] = (z[column] - (column == 3 ? near : 0)) / distance;
    matrix[4 * column + 3] = z[column] / distance;
  }
  return matrix;
}

PlanePoint plane_point(float picture_x, float picture_y, float width_by_height, float zoom) {
  const float down = zoom * unit(width_by_height);
  return {picture_x * width_by_height / down, picture_y / down};
}

}  // namespace demo
