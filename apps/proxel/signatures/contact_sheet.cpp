#include "signatures/contact_sheet.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "images/image.hpp"
#include "interrupt.hpp"
#include "proxel/error.hpp"
#include "report/report.hpp"
#include "write_text.hpp"

namespace proxel::tool {
namespace {

using images::Image;

// The picture with a word of who made it, by which it may be replaced another time. A
// chunk of a PNG file: length, kind, content, CRC-32 of the last two.
std::vector<std::uint8_t> with_maker(std::vector<std::uint8_t> png) {
  constexpr std::size_t header_end = 33;  // of the signature and the chunk IHDR
  constexpr std::string_view chunk("tEXtSoftware\0proxel", 19);
  std::vector<std::uint8_t> maker(chunk.begin(), chunk.end());
  const auto number = [](unsigned long value) {
    return std::array{static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>(value >> 16),
                      static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
  };
  const auto checksum = number(crc32_z(0, maker.data(), maker.size()));
  const auto length = number(maker.size() - 4);
  maker.insert(maker.begin(), length.begin(), length.end());
  maker.insert(maker.end(), checksum.begin(), checksum.end());
  png.insert(png.begin() + header_end, maker.begin(), maker.end());
  return png;
}

class SheetWriter {
 public:
  explicit SheetWriter(const Sheet& sheet)
      : sheet_(sheet), scale_(sheet.thumbnail / least_thumbnail), caption_height_(14 * scale_) {}

  void write() {
    if (sheet_.path.ends_with(".html"))
      write_html();
    else
      write_png();
  }
  std::uint64_t missing() const { return missing_; }

 private:
  static constexpr std::uint32_t gap = 8;

  std::optional<Image> thumbnail(const SheetImage& image) {
    throw_if_interrupted();
    try {
      if (!image.path.empty()) return images::reduced(images::read_image(image.path), sheet_.thumbnail);
    } catch (const Error&) {
      ++missing_;
    }
    return std::nullopt;
  }

  Picture picture(const SheetImage& image) {
    Picture shown{{}, image.caption, image.path};
    if (const auto small = thumbnail(image)) shown.png = images::encode_png(*small);
    return shown;
  }

  void write_html() {
    Report report(sheet_.title);
    for (const SheetRow& row : sheet_.rows) {
      report.heading(row.title);
      std::vector<Picture> pictures;
      if (!row.query.path.empty()) pictures.push_back(picture(row.query));
      for (const SheetImage& neighbor : row.neighbors) pictures.push_back(picture(neighbor));
      report.pictures(pictures);
    }
    report.origin(sheet_.command_line);
    report.write(sheet_.path);
  }

  void write_png() {
    std::size_t columns = 0;
    for (const SheetRow& row : sheet_.rows) columns = std::max(columns, row.neighbors.size());
    const std::uint64_t cell = sheet_.thumbnail + gap;
    const std::uint64_t width = (columns + 1) * cell + gap,
                        height = sheet_.rows.size() * (cell + caption_height_) + gap;
    constexpr std::uint64_t most = std::uint64_t{1} << 27;
    if (width > most / height)
      throw Error(ErrorCode::invalid_argument, sheet_.path,
                  fmt::format("would have {} x {} pixels, {} are allowed: show fewer queries or neighbours, smaller "
                              "(--thumbnail), or write .html",
                              width, height, most));
    Image all{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
    all.rgb.assign(std::size_t{3} * width * height, 255);
    for (std::size_t r = 0; r < sheet_.rows.size(); ++r) {
      const auto y = static_cast<std::uint32_t>(gap + r * (cell + caption_height_));
      place(all, sheet_.rows[r].query, gap, y);
      for (std::size_t i = 0; i < sheet_.rows[r].neighbors.size(); ++i)
        place(all, sheet_.rows[r].neighbors[i], static_cast<std::uint32_t>(gap + (i + 1) * cell), y);
    }
    const auto png = with_maker(images::encode_png(all));
    write_text(sheet_.path, {reinterpret_cast<const char*>(png.data()), png.size()});
  }

  void place(Image& onto, const SheetImage& image, std::uint32_t x, std::uint32_t y) {
    if (const auto small = thumbnail(image))
      images::paste(onto, *small, x + (sheet_.thumbnail - small->width) / 2,
                    y + (sheet_.thumbnail - small->height) / 2);
    images::draw_text(onto, x, y + sheet_.thumbnail + 4, image.caption, scale_);
  }

  const Sheet& sheet_;
  std::uint32_t scale_, caption_height_;  // of the captions of a PNG file
  std::uint64_t missing_ = 0;
};

}  // namespace

std::uint64_t write_contact_sheet(const Sheet& sheet) {
  SheetWriter writer(sheet);
  writer.write();
  return writer.missing();
}

}  // namespace proxel::tool
