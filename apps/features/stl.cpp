#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "features/mesh_file.hpp"
#include "features/text_cursor.hpp"
#include "proxel/error.hpp"

namespace proxel::features {
namespace {

constexpr std::size_t heading_bytes = 80, facet_bytes = 50;

// Little-endian, wherever this runs.
std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
  return word;
}

std::uint64_t stated_bytes(std::string_view bytes) {
  return heading_bytes + 4 + std::uint64_t{word_at(bytes, heading_bytes)} * facet_bytes;
}

bool is_binary(std::string_view bytes) {
  return bytes.size() >= heading_bytes + 4 && stated_bytes(bytes) == bytes.size();
}

Triangles parse_binary(const std::string& name, std::string_view bytes) {
  Triangles triangles;
  for (std::size_t at = heading_bytes + 4; at < bytes.size(); at += facet_bytes) {
    Triangle triangle{};
    for (std::size_t i = 0; i < 9; ++i) {
      // Behind the normal, which the vertices tell better.
      const double value = std::bit_cast<float>(word_at(bytes, at + 12 + 4 * i));
      if (!std::isfinite(value) || std::abs(value) > largest_coordinate)
        throw Error(ErrorCode::malformed_file, name,
                    fmt::format("byte {}: a coordinate is {}; at most {:g} is allowed", at + 12 + 4 * i, value,
                                largest_coordinate));
      triangle[i / 3][i % 3] = value;
    }
    add(triangles, triangle, name);
  }
  return triangles;
}

// The words of the format may be in capitals.
bool is_word(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word, [](char a, char b) { return (a | 0x20) == b; });
}

Triangles parse_text(const std::string& name, std::string_view text) {
  TextCursor cursor(name, text);
  Triangles triangles;
  Triangle triangle{};
  std::size_t corners = 0;
  bool open = false;
  while (cursor.next_filled_line()) {
    const std::string_view word = cursor.field();
    if (is_word(word, "solid")) {
      open = true;
    } else if (is_word(word, "endsolid")) {
      open = false;
    } else if (is_word(word, "vertex")) {
      if (corners == 3) cursor.fail("a loop has more than three vertices");
      triangle[corners++] = cursor.point("a vertex's coordinate");
    } else if (is_word(word, "endloop")) {
      if (corners != 3) cursor.fail(fmt::format("a loop has {} vertices instead of three", corners));
      corners = 0;
      add(triangles, triangle, name);
    } else if (!is_word(word, "facet") && !is_word(word, "outer") && !is_word(word, "endfacet")) {
      cursor.fail(fmt::format("'{}' is no word of an STL file", word.substr(0, 40)));
    }
  }
  if (open) cursor.fail("the file ends before its 'endsolid'");
  return triangles;
}

}  // namespace

Triangles parse_stl(const std::string& name, std::string_view bytes) {
  if (is_binary(bytes)) return parse_binary(name, bytes);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && is_word(bytes.substr(first, 5), "solid")) return parse_text(name, bytes);
  if (bytes.size() < heading_bytes + 4)
    throw Error(ErrorCode::malformed_file, name,
                fmt::format("{} bytes: neither text that begins with 'solid' nor a binary STL file", bytes.size()));
  throw Error(ErrorCode::malformed_file, name,
              fmt::format("a binary STL file of {} triangles has {} bytes; this one has {}",
                          word_at(bytes, heading_bytes), stated_bytes(bytes), bytes.size()));
}

}  // namespace proxel::features
