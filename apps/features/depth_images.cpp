#include "features/depth_images.hpp"

#include <algorithm>
#include <cmath>

namespace proxel::features {
namespace {

constexpr double pixel = 2 * cube_half / depth_side;

double middle_of(std::ptrdiff_t at) { return (static_cast<double>(at) + 0.5) * pixel - cube_half; }

// The first pixel whose middle is at that place or behind it.
std::ptrdiff_t first_behind(double place) {
  const double at = std::ceil((std::clamp(place, -2 * cube_half, 2 * cube_half) + cube_half) / pixel - 0.5 - 1e-9);
  return static_cast<std::ptrdiff_t>(std::clamp(at, 0.0, static_cast<double>(depth_side)));
}

struct Views {
  DepthImage& from_above;
  DepthImage& from_below;
  std::size_t u, v, depth;  // which coordinates these are

  void draw(const Triangle& triangle) const {
    const Point &a = triangle[0], &b = triangle[1], &c = triangle[2];
    const double twice = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
    if (std::abs(twice) < 1e-14) return;  // seen from its edge
    const auto [left, right] = std::minmax({a[u], b[u], c[u]});
    const auto [low, high] = std::minmax({a[v], b[v], c[v]});
    for (std::ptrdiff_t y = first_behind(low);
         y < static_cast<std::ptrdiff_t>(depth_side) && middle_of(y) <= high + 1e-9; ++y)
      for (std::ptrdiff_t x = first_behind(left);
           x < static_cast<std::ptrdiff_t>(depth_side) && middle_of(x) <= right + 1e-9; ++x) {
        const double px = middle_of(x), py = middle_of(y);
        const double of_b = ((px - a[u]) * (c[v] - a[v]) - (py - a[v]) * (c[u] - a[u])) / twice;
        const double of_c = ((b[u] - a[u]) * (py - a[v]) - (b[v] - a[v]) * (px - a[u])) / twice;
        // Edges belong to both sides, so that rounding leaves no hole between them.
        if (of_b < -1e-9 || of_c < -1e-9 || of_b + of_c > 1 + 1e-9) continue;
        const double at = a[depth] + of_b * (b[depth] - a[depth]) + of_c * (c[depth] - a[depth]);
        const double near = std::clamp((at + cube_half) / (2 * cube_half), 0.0, 1.0);
        const std::size_t place = static_cast<std::size_t>(y) * depth_side + static_cast<std::size_t>(x);
        from_above[place] = std::max(from_above[place], near);
        from_below[place] = std::max(from_below[place], 1 - near);
      }
  }
};

}  // namespace

std::array<DepthImage, 6> depth_images(const Triangles& triangles) {
  std::array<DepthImage, 6> images;
  images.fill(DepthImage(depth_side * depth_side));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Views views{images[2 * axis], images[2 * axis + 1], (axis + 1) % 3, (axis + 2) % 3, axis};
    for (const Triangle& triangle : triangles) views.draw(triangle);
  }
  return images;
}

}  // namespace proxel::features
