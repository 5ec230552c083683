#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <stb_easy_font.h>

#include "images/image.hpp"

namespace proxel::images {

void paste(Image& onto, const Image& image, std::uint32_t x, std::uint32_t y) {
  for (std::uint32_t row = 0; row < image.height; ++row)
    std::memcpy(onto.rgb.data() + (std::size_t{y + row} * onto.width + x) * 3, image.pixel(0, row),
                std::size_t{image.width} * 3);
}

void draw_text(Image& onto, std::uint32_t x, std::uint32_t y, const std::string& text, std::uint32_t scale) {
  struct Corner {
    float x, y, z;
    std::array<std::uint8_t, 4> colour;
  };
  // The font's letters are at most so many rectangles, four corners each.
  std::vector<Corner> corners(text.size() * 16 * 4);
  std::string letters = text;  // the font's function wants to write to it, and does not
  const int rectangles = stb_easy_font_print(0, 0, letters.data(), nullptr, corners.data(),
                                             static_cast<int>(corners.size() * sizeof(Corner)));
  const auto at = [&](std::uint32_t from, float points, std::uint32_t limit) {
    return std::min(from + static_cast<std::uint32_t>(points) * scale, limit);
  };
  for (int i = 0; i < rectangles; ++i) {
    const Corner &first = corners[i * 4], &last = corners[i * 4 + 2];
    for (std::uint32_t row = at(y, first.y, onto.height); row < at(y, last.y, onto.height); ++row)
      for (std::uint32_t column = at(x, first.x, onto.width); column < at(x, last.x, onto.width); ++column)
        std::memset(onto.rgb.data() + (std::size_t{row} * onto.width + column) * 3, 0, 3);
  }
}

}  // namespace proxel::images
