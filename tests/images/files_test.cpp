// Images from files, hostile ones among them.
#include <unistd.h>

#include <fmt/format.h>
#include <zlib.h>

#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;
using images::decode_image;
using namespace std::string_literals;

namespace {

Image decoded(const std::string& bytes) { return decode_image("some.image", bytes_of_text(bytes)); }

// What is wrong with the file, after its name; nothing where it is read.
std::string complaint(const std::string& bytes, ErrorCode code = ErrorCode::malformed_file) {
  // An exact copy, so that a sanitizer sees what reads past it.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  try {
    decode_image("some.image", exact);
  } catch (const Error& error) {
    CHECK(to_string(error.code()) == to_string(code));
    CHECK(error.subject() == "some.image");
    return std::string(error.what()).substr(std::string("some.image: ").size());
  }
  return "";
}

// With the width and height of its header changed, and a checksum that fits.
std::string with_png_size(std::string png, std::uint32_t width, std::uint32_t height) {
  const std::string sizes = bytes_of(width, true) + bytes_of(height, true);
  png.replace(16, 8, sizes);
  const auto checksum = static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(png.data()) + 12, 17));
  return png.replace(29, 4, bytes_of(checksum, true));
}

}  // namespace

TEST_CASE("PNG files come back as they were, of any size") {
  for (const auto& [width, height] : {std::pair{1u, 1u}, {3u, 2u}, {64u, 1u}, {1u, 100u}, {257u, 129u}}) {
    const Image image = gradient(width, height);
    CHECK(largest_difference(decoded(png_of(image)), image) == 0);
    const auto encoded = images::encode_png(image);
    CHECK(largest_difference(decode_image("encoded", encoded), image) == 0);
  }
}

TEST_CASE("PNG files of grey, with transparency, and of 16 bits") {
  const std::uint8_t grey[] = {0, 100, 255, 7};
  CHECK(decoded(png_of(2, 2, grey, PNG_FORMAT_GRAY)).rgb ==
        std::vector<std::uint8_t>{0, 0, 0, 100, 100, 100, 255, 255, 255, 7, 7, 7});
  // Opaque, half of it, and nothing: what is behind is white.
  const std::uint8_t seen[] = {10, 20, 30, 255, 0, 0, 0, 51, 10, 20, 30, 0};
  CHECK(decoded(png_of(3, 1, seen, PNG_FORMAT_RGBA)).rgb ==
        std::vector<std::uint8_t>{10, 20, 30, 204, 204, 204, 255, 255, 255});
  const std::uint16_t linear[] = {0, 65535};
  CHECK(decoded(png_of(2, 1, linear, PNG_FORMAT_LINEAR_Y)).rgb == std::vector<std::uint8_t>{0, 0, 0, 255, 255, 255});
}

TEST_CASE("JPEG files of colours, greys and inks, sequential and progressive") {
  const Image image = gradient(64, 48);
  CHECK(largest_difference(decoded(jpeg_of(image)), image) <= 12);
  CHECK(largest_difference(decoded(jpeg_of(64, 48, image.rgb, {.progressive = true})), image) <= 12);
  std::vector<std::uint8_t> grey(16 * 16, 77);
  CHECK(largest_difference(decoded(jpeg_of(16, 16, grey, {.space = JCS_GRAYSCALE, .channels = 1})),
                           made_image(16, 16, [](auto, auto) { return std::array{77, 77, 77}; })) <= 1);
  // Light of the inks, as Adobe's programs store it: 200, 100, 50 under a black of 204 of 255.
  std::vector<std::uint8_t> inks;
  for (int i = 0; i < 16 * 16; ++i) inks.insert(inks.end(), {200, 100, 50, 204});
  CHECK(largest_difference(decoded(jpeg_of(16, 16, inks, {.space = JCS_CMYK, .channels = 4})),
                           made_image(16, 16, [](auto, auto) { return std::array{160, 80, 40}; })) <= 1);
}

namespace {

// What a camera that was held so writes into its files.
std::string exif(std::uint16_t orientation, bool big_endian) {
  const auto number = [&](auto value) { return bytes_of(value, big_endian); };
  return "Exif\0\0"s + (big_endian ? "MM" : "II") + number(std::uint16_t{42}) + number(std::uint32_t{8}) +
         number(std::uint16_t{2}) + number(std::uint16_t{0x0100}) + number(std::uint16_t{4}) +
         number(std::uint32_t{1}) + number(std::uint32_t{6}) + number(std::uint16_t{0x0112}) +
         number(std::uint16_t{3}) + number(std::uint32_t{1}) + number(orientation) + number(std::uint16_t{0});
}

std::string with_marker(const std::string& jpeg, const std::string& content) {
  const auto size = static_cast<std::uint16_t>(content.size() + 2);
  return jpeg.substr(0, 2) + "\xFF\xE1" + bytes_of(size, true) + content + jpeg.substr(2);
}

}  // namespace

TEST_CASE("photographs are turned upright, however the camera was held") {
  // A quarter of each colour: 1 2 above 3 4, wider than high.
  const std::array<std::array<int, 3>, 4> colours = {{{250, 0, 0}, {0, 250, 0}, {0, 0, 250}, {128, 128, 128}}};
  const Image image =
      made_image(64, 32, [&](std::uint32_t x, std::uint32_t y) { return colours[y / 16 * 2 + x / 32]; });
  const std::string jpeg = jpeg_of(image);
  // Where the quarters are to be seen.
  const char* const seen[] = {"1234", "2143", "4321", "3412", "1324", "3142", "4231", "2413"};
  for (std::uint16_t orientation = 1; orientation <= 8; ++orientation)
    for (const bool big_endian : {false, true}) {
      CAPTURE(orientation);
      const Image upright = decoded(with_marker(jpeg, exif(orientation, big_endian)));
      CHECK(upright.width == (orientation < 5 ? 64 : 32));
      CHECK(upright.height == (orientation < 5 ? 32 : 64));
      for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
        const std::uint8_t* pixel = upright.pixel(upright.width / 4 + quarter % 2 * upright.width / 2,
                                                  upright.height / 4 + quarter / 2 * upright.height / 2);
        const auto& colour = colours[seen[orientation - 1][quarter] - '1'];
        for (std::size_t channel = 0; channel < 3; ++channel) CHECK(std::abs(pixel[channel] - colour[channel]) < 10);
      }
    }
  // Others, and what is cut off, say nothing.
  for (const int unknown : {0, 9, 65535})
    CHECK(decoded(with_marker(jpeg, exif(static_cast<std::uint16_t>(unknown), false))).width == 64);
  const std::string turned = exif(6, true);
  for (std::size_t size = 0; size + 4 < turned.size(); ++size) {
    const Image cut = decoded(with_marker(jpeg, turned.substr(0, size)));
    CHECK(cut.width * cut.height == 64 * 32);
  }
  std::string lost = turned;
  lost.replace(10, 4, "\xFF\xFF\xFF\xF0");
  CHECK(decoded(with_marker(jpeg, lost)).width == 64);
}

TEST_CASE("an image that ends early is refused wherever it ends") {
  for (const std::string& whole : {png_of(gradient(40, 30)), jpeg_of(gradient(40, 30)),
                                   jpeg_of(40, 30, gradient(40, 30).rgb, {.progressive = true})}) {
    REQUIRE(complaint(whole) == "");
    const Image image = decoded(whole);
    for (std::size_t size = 8; size + 2 < whole.size(); ++size) {
      CAPTURE(size);
      const std::string said = complaint(whole.substr(0, size));
      // No pixel depends on the last bytes of a PNG file: the checksum of the data, and the end's mark.
      if (said.empty() && size + 16 >= whole.size())
        CHECK(decoded(whole.substr(0, size)).rgb == image.rgb);
      else
        CHECK(said.starts_with("damaged "));
    }
  }
}

TEST_CASE("a changed byte of an image's file is refused or another image, and nothing worse") {
  for (const std::string& whole : {png_of(gradient(24, 17)), jpeg_of(gradient(24, 17))})
    for (std::size_t i = 8; i < whole.size(); ++i)
      for (const int change : {1, 0x80, 0xFF}) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ change);
        try {
          const Image image = decode_image("some.image", bytes_of_text(damaged));
          CHECK(image.rgb.size() == std::size_t{image.width} * image.height * 3);
        } catch (const Error& error) {
          CHECK(error.subject() == "some.image");
        }
      }
}

TEST_CASE("what is no image, or too large for one, is told") {
  CHECK(complaint("", ErrorCode::unsupported) == "the file is empty");
  CHECK(complaint(std::string(100, '\0'), ErrorCode::unsupported) == "neither a JPEG nor a PNG file");
  CHECK(complaint("GIF89a", ErrorCode::unsupported) == "neither a JPEG nor a PNG file");
  CHECK(complaint("\xFF\xD8\xFF").starts_with("damaged JPEG: "));
  const std::string png = png_of(gradient(4, 4));
  REQUIRE(with_png_size(png, 4, 4) == png);
  CHECK(complaint(with_png_size(png, 1'000'000, 1'000'000), ErrorCode::unsupported) ==
        "an image of 1000000 x 1000000 pixels; 1 to 268435456 are supported");
  CHECK(complaint(with_png_size(png, 0x7FFFFFFF, 0x7FFFFFFF)).starts_with("damaged PNG: "));
  CHECK(complaint(with_png_size(png, 0, 4)).starts_with("damaged PNG: "));
  // More rows than there are data for.
  CHECK(complaint(with_png_size(png, 4, 5000)).starts_with("damaged PNG: "));
  // Much memory for a small file.
  CHECK(complaint(with_png_size(png, 16'000, 16'000)) ==
        fmt::format("damaged: 16000 x 16000 pixels in a file of {} bytes", png.size()));
  std::string jpeg = jpeg_of(gradient(16, 16));
  const std::size_t frame = jpeg.find("\xFF\xC0");
  jpeg.replace(frame + 5, 4, "\xFF\x00\xFF\x00"s);
  CHECK(complaint(jpeg, ErrorCode::unsupported) == "an image of 65280 x 65280 pixels; 1 to 268435456 are supported");
  jpeg.replace(frame + 5, 4, "\x20\x00\x20\x00"s);
  CHECK(complaint(jpeg) == fmt::format("damaged: 8192 x 8192 pixels in a file of {} bytes", jpeg.size()));
  // One colour throughout takes the fewest bytes that a pixel can.
  for (const bool progressive : {false, true}) {
    const std::vector<std::uint8_t> white(std::size_t{2048} * 2048 * 3, 255);
    CHECK(complaint(jpeg_of(2048, 2048, white, {.progressive = progressive})) == "");
  }
  CHECK(complaint(png_of(made_image(4096, 512, [](auto, auto) { return std::array{255, 255, 255}; }))) == "");
}

TEST_CASE("files that cannot be read are told by their path") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.png", png_of(gradient(5, 5)));
  CHECK(images::read_image(path).width == 5);
  check_error([&] { images::read_image(folder.file("")); }, ErrorCode::input_output, folder.file(""),
              "is a directory, not a file");
  check_error([&] { images::read_image(folder.file("b.png")); }, ErrorCode::not_found, folder.file("b.png"),
              "no such file");
  check_error([&] { images::read_image("/dev/null"); }, ErrorCode::input_output, "/dev/null", "is not a regular file");
  if (geteuid() != 0) {  // the superuser may read anything
    std::filesystem::permissions(path, std::filesystem::perms::none);
    check_error([&] { images::read_image(path); }, ErrorCode::input_output, path, "Permission denied");
  }
}

TEST_CASE("large images become the means of their pixels") {
  CHECK(images::reduced(gradient(30, 20), 30).rgb == gradient(30, 20).rgb);
  // Each pixel of four is the mean of 2 x 2.
  const Image four = made_image(
      4, 4, [](std::uint32_t x, std::uint32_t y) { return std::array{int(x * 10 + y), 255, int(x / 2 * 2 + y / 2)}; });
  const Image two = images::reduced(four, 2);
  CHECK(two.width == 2);
  CHECK(two.height == 2);
  // (0 + 10 + 1 + 11) / 4 = 5.5, rounded up
  CHECK(two.rgb == std::vector<std::uint8_t>{6, 255, 0, 26, 255, 2, 8, 255, 1, 28, 255, 3});
  const Image thin = images::reduced(gradient(1000, 3), 10);
  CHECK(thin.width == 10);
  CHECK(thin.height == 1);
  const Image odd = images::reduced(made_image(7, 5, [](auto, auto) { return std::array{9, 8, 7}; }), 3);
  CHECK(odd.width == 3);
  CHECK(odd.height == 2);
  CHECK(odd.rgb[0] == 9);
}
