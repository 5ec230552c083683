#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>
#include <png.h>

#include "../data/support.hpp"
#include "images/image.hpp"

namespace proxel::testing {

using images::Image;

/// An image whose pixel at (x, y) is {red, green, blue} of `colour(x, y)`.
template <typename Colour>
Image made_image(std::uint32_t width, std::uint32_t height, const Colour& colour) {
  Image image{width, height, {}};
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      for (const int channel : colour(x, y)) image.rgb.push_back(static_cast<std::uint8_t>(channel));
  return image;
}

/// Red grows to the right, green downwards.
inline Image gradient(std::uint32_t width, std::uint32_t height) {
  return made_image(width, height, [&](std::uint32_t x, std::uint32_t y) {
    return std::array<int, 3>{int(255 * x / width), int(255 * y / height), 128};
  });
}

inline images::Bytes bytes_of_text(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// A JPEG file of samples as libjpeg writes them.
struct JpegKind {
  J_COLOR_SPACE space = JCS_RGB;
  int channels = 3;
  bool progressive = false;
};
inline std::string jpeg_of(std::uint32_t width, std::uint32_t height, std::vector<std::uint8_t> samples,
                           const JpegKind& kind = {}) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &memory, &size);
  info.image_width = width;
  info.image_height = height;
  info.input_components = kind.channels;
  info.in_color_space = kind.space;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  if (kind.progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  for (std::uint32_t y = 0; y < height; ++y) {
    JSAMPROW row = samples.data() + std::size_t{y} * width * kind.channels;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::string file(reinterpret_cast<const char*>(memory), size);
  std::free(memory);
  return file;
}
inline std::string jpeg_of(const Image& image) { return jpeg_of(image.width, image.height, image.rgb); }

/// A PNG file of samples in one of libpng's formats.
inline std::string png_of(std::uint32_t width, std::uint32_t height, const void* samples, png_uint_32 format) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = width;
  png.height = height;
  png.format = format;
  png_alloc_size_t size = 0;
  CHECK(png_image_write_to_memory(&png, nullptr, &size, 0, samples, 0, nullptr));
  std::string file(size, '\0');
  CHECK(png_image_write_to_memory(&png, file.data(), &size, 0, samples, 0, nullptr));
  file.resize(size);
  return file;
}
inline std::string png_of(const Image& image) {
  return png_of(image.width, image.height, image.rgb.data(), PNG_FORMAT_RGB);
}

/// The largest difference of a channel of two images of one size.
inline int largest_difference(const Image& a, const Image& b) {
  REQUIRE(a.width == b.width);
  REQUIRE(a.height == b.height);
  REQUIRE(a.rgb.size() == b.rgb.size());
  int largest = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) largest = std::max(largest, std::abs(a.rgb[i] - b.rgb[i]));
  return largest;
}

}  // namespace proxel::testing
