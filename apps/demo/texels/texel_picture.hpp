#pragma once

// Textures as images: a pixel for each value.

#include <array>
#include <cstdint>
#include <span>

#include "images/image.hpp"

namespace demo {

using Rgb = std::array<std::uint8_t, 3>;

/// Dark blue to yellow, ever lighter: `part` is 0 … 1, and what lies outside is as the nearer end.
Rgb colour_of(float part);

/// Values that get colours from the lower end to the upper one.
struct ValueRange {
  float least = 0, most = 1;

  float part(float value) const { return most > least ? (value - least) / (most - least) : 0; }
  /// The range of the finite values; 0 … 1 where there are none.
  static ValueRange of(std::span<const float> values);
};

/// Extent of a texture, texels.
struct TexelExtent {
  std::uint32_t width = 0, height = 0;
};

/// Where row `row` of a block is: channel row % 4 of its texel, as a pixel of an image with twice
/// the texture's sides. Red is left above, green right above, blue and alpha below.
struct ValuePixel {
  std::uint32_t x, y;
};
constexpr ValuePixel pixel_of_row(std::uint64_t row, std::uint32_t width) {
  const auto texel = static_cast<std::uint32_t>(row / 4);
  const auto channel = static_cast<std::uint32_t>(row % 4);
  return {texel % width * 2 + channel % 2, texel / width * 2 + channel / 2};
}
/// The row of such a pixel.
constexpr std::uint64_t row_of_pixel(ValuePixel pixel, std::uint32_t width) {
  return (std::uint64_t{pixel.y / 2} * width + pixel.x / 2) * 4 + pixel.y % 2 * 2 + pixel.x % 2;
}

/// A value per row, four to a texel; [2 height x 2 width] pixels. Where there is no row, and
/// where a value is not a number, the background shows.
proxel::images::Image draw_rows(std::span<const float> values, std::uint64_t rows, TexelExtent extent, ValueRange range,
                                Rgb background);

/// A value per texel, [height x width] pixels. What lies outside of `alive` is dimmed; a value that is
/// not a number shows the background.
proxel::images::Image draw_texels(std::span<const float> values, TexelExtent extent, TexelExtent alive,
                                  ValueRange range, Rgb background);

/// Where a row's candidate is after texels have been folded, right half over left and lower over
/// upper, down to an extent.
TexelExtent folded(std::uint64_t row, TexelExtent whole, TexelExtent alive);

}  // namespace demo
