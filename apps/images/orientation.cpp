#include "images/orientation.hpp"

#include <algorithm>
#include <string_view>

namespace proxel::images {

Orientation orientation_of(Bytes exif) {
  constexpr std::string_view start("Exif\0\0", 6);
  const auto byte = [&](std::uint64_t at) { return at < exif.size() ? exif[at] : std::uint8_t{0}; };
  for (std::size_t i = 0; i < start.size(); ++i)
    if (byte(i) != static_cast<std::uint8_t>(start[i])) return 1;
  // A TIFF file follows, whose offsets count from here; past its end there are zeros.
  const std::uint64_t tiff = start.size();
  const bool little = byte(tiff) == 'I';
  const auto number = [&](std::uint64_t at, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) value = value << 8 | byte(tiff + at + (little ? width - 1 - i : i));
    return value;
  };
  constexpr std::uint64_t entry_bytes = 12, orientation_tag = 0x0112, type_short = 3;
  const std::uint64_t directory = number(4, 4), entries = number(directory, 2);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t entry = directory + 2 + i * entry_bytes;
    if (number(entry, 2) != orientation_tag || number(entry + 2, 2) != type_short) continue;
    const std::uint64_t value = number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<Orientation>(value) : 1;
  }
  return 1;
}

Image upright(Image image, Orientation orientation) {
  if (orientation == 1) return image;
  const bool turned = orientation >= 5;
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Image result{turned ? image.height : image.width, turned ? image.width : image.height, {}};
  result.rgb.reserve(image.rgb.size());
  for (std::uint32_t y = 0; y < result.height; ++y)
    for (std::uint32_t x = 0; x < result.width; ++x) {
      const std::uint32_t column = turned ? y : x, row = turned ? x : y;
      const std::uint8_t* pixel =
          image.pixel(from_right ? image.width - 1 - column : column, from_below ? image.height - 1 - row : row);
      result.rgb.insert(result.rgb.end(), pixel, pixel + 3);
    }
  return result;
}

}  // namespace proxel::images
