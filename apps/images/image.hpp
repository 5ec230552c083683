#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace proxel::images {

/// An image in sRGB, 8 bits a channel.
struct Image {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< [height x width x 3], rows from the top

  const std::uint8_t* pixel(std::uint32_t x, std::uint32_t y) const {
    return rgb.data() + (std::size_t{y} * width + x) * 3;
  }
};

/// Larger images are refused rather than trusted with so much memory.
inline constexpr std::uint64_t most_pixels = std::uint64_t{1} << 28;

using Bytes = std::span<const std::uint8_t>;

/// Reads a JPEG or PNG file; its content tells which it is. What is transparent shows white;
/// a photograph that says how the camera was held is turned upright.
/// Throws Error: not_found; input_output; unsupported for other formats and for more than
/// most_pixels; malformed_file for damaged files, ones that end early among them;
/// out_of_memory. It names the file.
Image read_image(const std::string& path);
/// The same of bytes that came from that file.
Image decode_image(const std::string& name, Bytes bytes);

Image decode_jpeg(const std::string& name, Bytes bytes);
Image decode_png(const std::string& name, Bytes bytes);
/// Before memory is taken for what a header tells. Throws Error: unsupported where the image is larger than
/// is allowed; malformed_file where a file of so many bytes cannot hold it.
/// @param pixels_per_byte  the most that the format's shortest codes can tell
void check_size(const std::string& name, std::uint64_t width, std::uint64_t height, std::size_t bytes,
                std::uint64_t pixels_per_byte);

/// A PNG file of the image. Throws Error(backend_failure).
std::vector<std::uint8_t> encode_png(const Image& image);

/// Mean colours over the pixels that become one, so that no side is longer than that;
/// smaller images stay as they are.
Image reduced(const Image& image, std::uint32_t longest_side);

/// Copies all of an image into another at (x, y), where it has to fit.
void paste(Image& onto, const Image& image, std::uint32_t x, std::uint32_t y);

/// Draws a line of ASCII in black, its left upper corner at (x, y); what does not fit is cut off.
/// @param scale  pixels of a point of the font, in which a line has 12
void draw_text(Image& onto, std::uint32_t x, std::uint32_t y, const std::string& text, std::uint32_t scale);

}  // namespace proxel::images
