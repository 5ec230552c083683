#pragma once

// Images that are hard for what describes them.

#include <array>
#include <cstdint>
#include <vector>

#include "proxel/extraction.hpp"

namespace proxel::conformance {

enum class Picture {
  noise,      // every colour anywhere
  plain,      // one colour
  grey,       // levels from left to right
  chequered,  // black and white: the largest contrast
  blocks,     // a few colours, each in a place
};
inline constexpr Picture all_pictures[] = {Picture::noise, Picture::plain, Picture::grey, Picture::chequered,
                                           Picture::blocks};

const char* name_of(Picture picture);

struct MadeImage {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;

  std::array<int, 3> at(std::uint32_t x, std::uint32_t y) const;
  ImageView view() const { return {width, height, rgb}; }
};

MadeImage make_image(Picture picture, std::uint32_t width, std::uint32_t height, std::uint64_t seed);

/// As passes read them, with something in the byte that they do not look at.
std::vector<std::uint32_t> words_of(const MadeImage& image);

}  // namespace proxel::conformance
