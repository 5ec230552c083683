#include <fmt/format.h>

#include "features/mesh_file.hpp"
#include "features/text_cursor.hpp"
#include "proxel/error.hpp"

namespace proxel::features {
namespace {

constexpr std::uint64_t most_vertices = std::uint64_t{1} << 24;

// Goes behind the word OFF, which may say before it what else vertices have.
void read_heading(TextCursor& cursor) {
  const auto before = cursor.before("OFF");
  if (!before || before->find_first_not_of("STCN") != std::string_view::npos)
    cursor.fail("an OFF file begins with 'OFF'; with 4 or n coordinates, '4OFF' and 'nOFF', it is not read");
  if (cursor.before("BINARY"))
    throw Error(ErrorCode::unsupported, cursor.name(), "a binary OFF file; only those of text are read");
}

}  // namespace

Triangles parse_off(const std::string& name, std::string_view text) {
  TextCursor cursor(name, text);
  const auto expect_line = [&](const char* what) {
    if (!cursor.next_filled_line()) cursor.fail(fmt::format("the file ends before {}", what));
  };
  expect_line("its heading");
  read_heading(cursor);
  // Files are about in which the numbers follow the word, even without a blank.
  if (cursor.at_line_end()) expect_line("the numbers of vertices and faces");
  const std::uint64_t vertices = cursor.count("the number of vertices", most_vertices);
  const std::uint64_t faces = cursor.count("the number of faces", most_triangles);

  std::vector<Point> points;  // grows with what is there, not with what is stated
  for (std::uint64_t i = 0; i < vertices; ++i) {
    expect_line("the last vertex");
    points.push_back(cursor.point("a vertex's coordinate"));
  }
  Triangles triangles;
  for (std::uint64_t i = 0; i < faces; ++i) {
    expect_line("the last face");
    const std::uint64_t corners = cursor.count("the number of a face's vertices", most_vertices);
    std::array<Point, 2> fan{};
    for (std::uint64_t c = 0; c < corners; ++c) {
      const std::uint64_t index = cursor.count("the number of a vertex", most_vertices);
      if (index >= vertices) cursor.fail(fmt::format("vertex {} is named, of {} that are there", index, vertices));
      if (c >= 2) add(triangles, {fan[0], fan[1], points[index]}, name);
      fan[c == 0 ? 0 : 1] = points[index];
    }
  }
  return triangles;
}

}  // namespace proxel::features
