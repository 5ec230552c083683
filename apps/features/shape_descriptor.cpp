#include "features/shape_descriptor.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <tuple>

#include "features/depth_images.hpp"
#include "features/pose.hpp"

namespace proxel::features {
namespace {

constexpr int highest = 7;  // 7² + 1² <= 52
using Wave = std::complex<double>;

// exp(-2 pi i f x / side), where the product is reduced exactly.
const std::array<Wave, depth_side>& waves() {
  static const std::array<Wave, depth_side> table = [] {
    std::array<Wave, depth_side> made;
    for (std::size_t i = 0; i < depth_side; ++i)
      made[i] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) / depth_side);
    return made;
  }();
  return table;
}

Wave wave(int frequency, std::size_t place) {
  return waves()[(static_cast<std::size_t>(frequency + static_cast<int>(depth_side)) * place) % depth_side];
}

// Column by column of frequencies u, then along v.
void append_magnitudes(const DepthImage& image, std::vector<float>& to) {
  std::vector<Wave> rows(depth_side * (highest + 1));
  for (std::size_t y = 0; y < depth_side; ++y)
    for (int u = 0; u <= highest; ++u) {
      Wave sum = 0;
      for (std::size_t x = 0; x < depth_side; ++x) sum += image[y * depth_side + x] * wave(u, x);
      rows[y * (highest + 1) + static_cast<std::size_t>(u)] = sum;
    }
  constexpr double pixels = depth_side * depth_side;
  for (const auto& [u, v] : lowest_frequencies()) {
    Wave sum = 0;
    for (std::size_t y = 0; y < depth_side; ++y)
      sum += rows[y * (highest + 1) + static_cast<std::size_t>(u)] * wave(v, y);
    // A frequency stands for its opposite too, so that l2 is that of the images without high frequencies.
    const double both = u == 0 && v == 0 ? 1 : std::numbers::sqrt2;
    to.push_back(static_cast<float>(both * std::abs(sum) / pixels));
  }
}

}  // namespace

std::array<std::array<int, 2>, shape_frequencies> lowest_frequencies() {
  std::array<std::array<int, 2>, shape_frequencies> found{};
  std::size_t count = 0;
  for (int u = 0; u <= highest; ++u)
    for (int v = -highest; v <= highest; ++v)
      if (u * u + v * v <= 52 && (u > 0 || v >= 0)) found.at(count++) = {u, v};
  std::ranges::sort(found, {},
                    [](const std::array<int, 2>& f) { return std::tuple(f[0] * f[0] + f[1] * f[1], f[0], f[1]); });
  return found;
}

std::vector<float> shape_descriptor(Triangles triangles, const std::string& name) {
  const Posed shape = posed(std::move(triangles), name);
  std::vector<float> descriptor;
  descriptor.reserve(shape_dimensions);
  for (const DepthImage& image : depth_images(shape.triangles)) append_magnitudes(image, descriptor);
  for (const std::size_t axis : {1, 2}) descriptor.push_back(static_cast<float>(shape.spread[axis] / shape.spread[0]));
  return descriptor;
}

}  // namespace proxel::features
