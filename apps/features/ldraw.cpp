#include "features/ldraw.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "features/text_cursor.hpp"
#include "proxel/error.hpp"

namespace proxel::features {
namespace {

constexpr int deepest = 32;
constexpr std::uint64_t most_references = std::uint64_t{1} << 20;

// Names have the separators of Windows, and nobody's library lies above itself.
std::string sub_file_of(TextCursor& cursor) {
  std::string name(cursor.rest());
  std::ranges::replace(name, '\\', '/');
  if (name.empty()) cursor.fail("the sub-file's name is missing");
  if (name.front() == '/' || name.find("..") != std::string::npos || name.find(':') != std::string::npos ||
      name.find('\0') != std::string::npos)
    cursor.fail(fmt::format("the sub-file '{}' would lie outside the library", name.substr(0, 100)));
  return name;
}

LdrawReference read_reference(TextCursor& cursor) {
  LdrawReference reference;
  reference.line = cursor.line_number();
  reference.origin = cursor.point("a position");
  for (Point& row : reference.rows) row = cursor.point("an element of the matrix");
  reference.sub_file = sub_file_of(cursor);
  return reference;
}

// Where points of a file come to lie in the outermost one.
struct Placement {
  std::array<Point, 3> rows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Point origin{};

  Point turned(const Point& point) const {
    Point to{};
    for (int i = 0; i < 3; ++i) to[i] = rows[i][0] * point[0] + rows[i][1] * point[1] + rows[i][2] * point[2];
    return to;
  }
  Point placed(const Point& point) const {
    Point to = turned(point);
    for (int i = 0; i < 3; ++i) to[i] += origin[i];
    return to;
  }
  Placement within(const LdrawReference& reference) const {
    Placement inner{{}, placed(reference.origin)};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int m = 0; m < 3; ++m) inner.rows[i][j] += rows[i][m] * reference.rows[m][j];
    return inner;
  }
};

class Assembly {
 public:
  Assembly(const LdrawFile& file, const FindSubFile& find) : outermost_(file.name), find_(find) { put(file, {}, 0); }
  Triangles triangles;

 private:
  // Errors name the outermost file, which is the one that was asked for.
  [[noreturn]] void fail(ErrorCode code, const LdrawFile& file, std::uint64_t line, const std::string& reason) const {
    throw Error(code, outermost_,
                file.name == outermost_ ? fmt::format("line {}: {}", line, reason)
                                        : fmt::format("{}, line {}: {}", file.name, line, reason));
  }

  void put(const LdrawFile& file, const Placement& placement, int depth) {
    for (const Triangle& triangle : file.triangles)
      add(triangles, {placement.placed(triangle[0]), placement.placed(triangle[1]), placement.placed(triangle[2])},
          outermost_);
    for (const LdrawReference& reference : file.references) {
      if (depth == deepest)
        fail(ErrorCode::malformed_file, file, reference.line,
             fmt::format("sub-files are nested deeper than {}: one holds itself", deepest));
      if (++references_ > most_references)
        fail(ErrorCode::unsupported, file, reference.line, fmt::format("more than {} sub-files", most_references));
      const auto inner = find_(reference.sub_file);
      if (!inner)
        fail(ErrorCode::not_found, file, reference.line,
             fmt::format("the sub-file '{}' is not there", reference.sub_file));
      put(*inner, placement.within(reference), depth + 1);
    }
  }

  const std::string outermost_;
  const FindSubFile& find_;
  std::uint64_t references_ = 0;
};

}  // namespace

LdrawFile parse_ldraw(const std::string& name, std::string_view text) {
  LdrawFile file{name, {}, {}};
  TextCursor cursor(name, text);
  while (cursor.next_line()) {
    const std::string_view kind = cursor.field();
    if (kind.empty() || kind == "0" || kind == "2" || kind == "5") continue;
    if (kind != "1" && kind != "3" && kind != "4")
      cursor.fail(fmt::format("a line begins with 0 … 5, not with '{}'", kind.substr(0, 40)));
    if (cursor.field().empty()) cursor.fail("the colour is missing");
    if (kind == "1") {
      file.references.push_back(read_reference(cursor));
      continue;
    }
    std::array<Point, 4> corners{};
    const std::size_t count = kind == "3" ? 3 : 4;
    for (std::size_t i = 0; i < count; ++i) corners[i] = cursor.point("a coordinate");
    for (std::size_t i = 2; i < count; ++i) add(file.triangles, {corners[0], corners[i - 1], corners[i]}, name);
  }
  return file;
}

Triangles assembled(const LdrawFile& file, const FindSubFile& find) { return Assembly(file, find).triangles; }

}  // namespace proxel::features
