#include "texels/texel_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace demo {
namespace {

Rgb between(const Rgb& a, const Rgb& b, float part) {
  Rgb mixed{};
  for (std::size_t i = 0; i < 3; ++i)
    mixed[i] = static_cast<std::uint8_t>(
        std::lround(static_cast<float>(a[i]) + part * (static_cast<float>(b[i]) - static_cast<float>(a[i]))));
  return mixed;
}

proxel::images::Image filled(std::uint32_t width, std::uint32_t height, Rgb colour) {
  proxel::images::Image image{width, height, {}};
  image.rgb.reserve(std::size_t{width} * height * 3);
  for (std::size_t i = 0; i < std::size_t{width} * height; ++i)
    image.rgb.insert(image.rgb.end(), colour.begin(), colour.end());
  return image;
}

void set(proxel::images::Image& image, std::uint32_t x, std::uint32_t y, Rgb colour) {
  std::copy(colour.begin(), colour.end(),
            image.rgb.begin() + static_cast<std::ptrdiff_t>((std::size_t{y} * image.width + x) * 3));
}

}  // namespace

Rgb colour_of(float part) {
  // Eighths of viridis, matplotlib's map (CC0): evenly lighter to the eye.
  static constexpr Rgb stops[] = {{68, 1, 84},    {71, 45, 123}, {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
                                  {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37}};
  constexpr float last = static_cast<float>(std::size(stops) - 1);
  const float place = std::clamp(part, 0.0f, 1.0f) * last;
  const auto below = std::min(static_cast<std::size_t>(place), std::size(stops) - 2);
  return between(stops[below], stops[below + 1], place - static_cast<float>(below));
}

ValueRange ValueRange::of(std::span<const float> values) {
  ValueRange range{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
  for (const float value : values)
    if (std::isfinite(value)) range = {std::min(range.least, value), std::max(range.most, value)};
  return range.least <= range.most ? range : ValueRange{};
}

proxel::images::Image draw_rows(std::span<const float> values, std::uint64_t rows, TexelExtent extent, ValueRange range,
                                Rgb background) {
  auto image = filled(2 * extent.width, 2 * extent.height, background);
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (std::isnan(values[row])) continue;
    const ValuePixel at = pixel_of_row(row, extent.width);
    set(image, at.x, at.y, colour_of(range.part(values[row])));
  }
  return image;
}

proxel::images::Image draw_texels(std::span<const float> values, TexelExtent extent, TexelExtent alive,
                                  ValueRange range, Rgb background) {
  constexpr float dimmed = 0.8f;
  auto image = filled(extent.width, extent.height, background);
  for (std::uint32_t y = 0; y < extent.height; ++y)
    for (std::uint32_t x = 0; x < extent.width; ++x) {
      const float value = values[std::size_t{y} * extent.width + x];
      if (std::isnan(value)) continue;
      const Rgb colour = colour_of(range.part(value));
      set(image, x, y, x < alive.width && y < alive.height ? colour : between(colour, background, dimmed));
    }
  return image;
}

TexelExtent folded(std::uint64_t row, TexelExtent whole, TexelExtent alive) {
  TexelExtent at{static_cast<std::uint32_t>(row / 4 % whole.width), static_cast<std::uint32_t>(row / 4 / whole.width)};
  while (whole.width > alive.width || whole.height > alive.height) {
    whole = {(whole.width + 1) / 2, (whole.height + 1) / 2};
    if (at.width >= whole.width) at.width -= whole.width;
    if (at.height >= whole.height) at.height -= whole.height;
  }
  return at;
}

}  // namespace demo
