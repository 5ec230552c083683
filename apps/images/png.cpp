#include <png.h>

#include "images/image.hpp"
#include "proxel/error.hpp"

namespace proxel::images {
namespace {

/// libpng's simplified interface, which keeps what it needs to free.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;

  void require(const std::string& name, int fine) const {
    if (!fine) throw Error(ErrorCode::malformed_file, name, std::string("damaged PNG: ") + message);
  }
};

}  // namespace

Image decode_png(const std::string& name, Bytes bytes) {
  PngImage png;
  png.require(name, png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()));
  // At best a pixel is a bit, and deflate makes 1,032 bytes of one.
  check_size(name, png.width, png.height, bytes.size(), 8 * 1032);
  png.format = PNG_FORMAT_RGBA;
  std::vector<std::uint8_t> rgba(std::size_t{png.width} * png.height * 4);
  Image image{png.width, png.height, {}};
  png.require(name, png_image_finish_read(&png, nullptr, rgba.data(), 0, nullptr));
  image.rgb.reserve(rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < rgba.size(); i += 4)
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const unsigned alpha = rgba[i + 3];
      image.rgb.push_back(static_cast<std::uint8_t>((rgba[i + channel] * alpha + 255 * (255 - alpha) + 127) / 255));
    }
  return image;
}

std::vector<std::uint8_t> encode_png(const Image& image) {
  PngImage png;
  png.width = image.width;
  png.height = image.height;
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  const auto write = [&](void* memory) {
    if (!png_image_write_to_memory(&png, memory, &size, 0, image.rgb.data(), 0, nullptr))
      throw Error(ErrorCode::backend_failure, "PNG", png.message);
  };
  write(nullptr);
  std::vector<std::uint8_t> bytes(size);
  write(bytes.data());
  bytes.resize(size);
  return bytes;
}

}  // namespace proxel::images
