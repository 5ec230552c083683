#include "compare/chart.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>

#include "format.hpp"
#include "proxel/error.hpp"

namespace demo {
namespace {

using proxel::images::Image;
using Colour = std::array<std::uint8_t, 3>;

constexpr std::uint32_t width = 1000, line = 34, label = 300, inset = 16, above = 96, below = 40, figures = 240;
constexpr Colour upload_colour{0xC2, 0x62, 0x0A}, compute_colour{0x1D, 0x6F, 0xD1}, readback_colour{0x14, 0x83, 0x3F};

void fill(Image& image, std::uint32_t x, std::uint32_t y, std::uint32_t across, std::uint32_t down, Colour colour) {
  for (std::uint32_t row = y; row < std::min(y + down, image.height); ++row)
    for (std::uint32_t column = x; column < std::min(x + across, image.width); ++column)
      std::copy(colour.begin(), colour.end(),
                image.rgb.begin() + static_cast<std::ptrdiff_t>((std::size_t{row} * image.width + column) * 3));
}

// The font of pictures has ASCII alone.
std::string ascii(std::string text) {
  for (const auto& [from, to] : {std::pair{"×", "x"}, std::pair{"–", "-"}, std::pair{"…", "..."}})
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from))
      text.replace(at, std::string_view(from).size(), to);
  return text;
}

}  // namespace

Parts parts_of(const proxel::tool::Measured& measured) {
  return {measured.upload, measured.compute, measured.readback};
}

Image draw_chart(const proxel::tool::Comparison& comparison) {
  const auto bars = static_cast<std::uint32_t>(comparison.measured.size());
  Image image{width, above + bars * line + below, {}};
  image.rgb.assign(std::size_t{image.width} * image.height * 3, 0xFF);
  const auto text = [&](std::uint32_t x, std::uint32_t y, const std::string& what, std::uint32_t scale = 1) {
    proxel::images::draw_text(image, x, y, ascii(what), scale);
  };
  text(inset, inset, comparison.task(), 2);
  text(inset, inset + 28, comparison.verdict());
  std::uint32_t at = inset;
  for (const auto& [name, colour] :
       {std::pair{"upload (host clock)", upload_colour}, std::pair{"compute (device time)", compute_colour},
        std::pair{"read-back (host clock)", readback_colour}}) {
    fill(image, at, inset + 50, 12, 12, colour);
    text(at + 18, inset + 52, name);
    at += 180;
  }
  double most = 0;
  for (const auto& row : comparison.measured)
    if (row.timed()) most = std::max(most, parts_of(row).sum());
  for (std::uint32_t i = 0; i < bars; ++i) {
    const proxel::tool::Measured& row = comparison.measured[i];
    const std::uint32_t y = above + i * line;
    text(inset, y + 4, fmt::format("{}  {}", row.device.id, row.method));
    text(inset, y + 16, row.device.name.substr(0, 44));
    if (!row.timed()) {
      text(label, y + 10, row.verdict().substr(0, 110));
      continue;
    }
    const Parts parts = parts_of(row);
    std::uint32_t x = label;
    for (const auto& [time, colour] : {std::pair{parts.upload, upload_colour}, std::pair{parts.compute, compute_colour},
                                       std::pair{parts.readback, readback_colour}}) {
      const auto long_as = static_cast<std::uint32_t>(most > 0 ? time / most * (width - label - figures) : 0);
      fill(image, x, y + 4, long_as, line - 12, colour);
      x += long_as;
    }
    text(
        x + 8, y + 10,
        fmt::format("{} ms, {}", proxel::tool::significant(parts.sum()), row.difference ? "DIFFERENT" : row.verdict()));
  }
  text(inset, image.height - 24, "medians of repeated searches behind one that is not counted");
  return image;
}

std::string to_csv(const proxel::tool::Table& table) {
  std::string text;
  const auto add = [&](const std::string& value, bool last) {
    const bool quote = value.find_first_of(",\"\n") != std::string::npos;
    std::string inner;
    for (const char character : value) inner += character == '"' ? std::string("\"\"") : std::string(1, character);
    text += (quote ? '"' + inner + '"' : inner) + (last ? "\n" : ",");
  };
  const std::size_t columns = table.columns().size();
  for (std::size_t i = 0; i < columns; ++i) add(table.columns()[i].heading, i + 1 == columns);
  for (const auto& row : table.rows())
    for (std::size_t i = 0; i < columns; ++i) add(i < row.size() ? row[i].text : "", i + 1 == columns);
  return text;
}

void write_file(const std::string& path, const void* bytes, std::size_t count) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
  stream.close();
  if (!stream) throw proxel::Error(proxel::ErrorCode::input_output, path, "cannot be written");
}

}  // namespace demo
