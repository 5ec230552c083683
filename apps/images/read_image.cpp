#include "images/image.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "files/file_bytes.hpp"
#include "proxel/error.hpp"

namespace proxel::images {
namespace {

bool begins_with(Bytes bytes, std::string_view start) {
  return bytes.size() >= start.size() && std::memcmp(bytes.data(), start.data(), start.size()) == 0;
}

}  // namespace

void check_size(const std::string& name, std::uint64_t width, std::uint64_t height, std::size_t bytes,
                std::uint64_t pixels_per_byte) {
  if (width == 0 || height == 0 || width > most_pixels / height)
    throw Error(ErrorCode::unsupported, name,
                fmt::format("an image of {} x {} pixels; 1 to {} are supported", width, height, most_pixels));
  if (width * height / pixels_per_byte > bytes)
    throw Error(ErrorCode::malformed_file, name,
                fmt::format("damaged: {} x {} pixels in a file of {} bytes", width, height, bytes));
}

Image decode_image(const std::string& name, Bytes bytes) {
  try {
    if (begins_with(bytes, "\xFF\xD8\xFF")) return decode_jpeg(name, bytes);
    if (begins_with(bytes, "\x89PNG\r\n\x1A\n")) return decode_png(name, bytes);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, name, "this machine's memory does not hold the image");
  }
  throw Error(ErrorCode::unsupported, name, bytes.empty() ? "the file is empty" : "neither a JPEG nor a PNG file");
}

Image read_image(const std::string& path) { return decode_image(path, files::file_bytes(path)); }

Image reduced(const Image& image, std::uint32_t longest_side) {
  const std::uint32_t longest = std::max(image.width, image.height);
  if (longest <= longest_side) return image;
  const auto side = [&](std::uint32_t of) {
    return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::uint64_t{of} * longest_side / longest));
  };
  Image small{side(image.width), side(image.height), {}};
  small.rgb.resize(std::size_t{small.width} * small.height * 3);
  // Where the pixels begin that become pixel `at` of `to`.
  const auto begin = [](std::uint32_t at, std::uint32_t from, std::uint32_t to) {
    return static_cast<std::uint32_t>(std::uint64_t{at} * from / to);
  };
  std::uint8_t* out = small.rgb.data();
  for (std::uint32_t y = 0; y < small.height; ++y) {
    const std::uint32_t top = begin(y, image.height, small.height), bottom = begin(y + 1, image.height, small.height);
    for (std::uint32_t x = 0; x < small.width; ++x) {
      const std::uint32_t left = begin(x, image.width, small.width), right = begin(x + 1, image.width, small.width);
      std::array<std::uint64_t, 3> sums{};
      for (std::uint32_t row = top; row < bottom; ++row)
        for (const std::uint8_t* pixel = image.pixel(left, row); pixel != image.pixel(right, row); pixel += 3)
          for (std::size_t channel = 0; channel < 3; ++channel) sums[channel] += pixel[channel];
      const std::uint64_t count = std::uint64_t{bottom - top} * (right - left);
      for (const std::uint64_t sum : sums) *out++ = static_cast<std::uint8_t>((sum + count / 2) / count);
    }
  }
  return small;
}

}  // namespace proxel::images
