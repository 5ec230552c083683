// Files of meshes: what they hold, and what is said of those that are wrong.
#include <cstring>

#include "features/mesh_file.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::features;
using namespace proxel::testing;

namespace {

const Triangle first{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, second{{{0, 0, 0}, {0, 1, 0}, {0, 0, -2.5}}};
const Triangles both{first, second};

std::string binary_stl(const Triangles& triangles) {
  std::string file = "solid in name only" + std::string(62, ' ');
  const auto put = [&](const auto& value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    file.append(bytes, sizeof value);
  };
  put(static_cast<std::uint32_t>(triangles.size()));
  for (const Triangle& triangle : triangles) {
    for (int i = 0; i < 3; ++i) put(0.0f);
    for (const Point& point : triangle)
      for (const double value : point) put(static_cast<float>(value));
    put(std::uint16_t{0});
  }
  return file;
}

std::string off_refusal(const std::string& text) {
  return refusal([&] { parse_off("a.off", text); });
}

std::string stl_refusal(const std::string& text) {
  return refusal([&] { parse_stl("a.stl", text); });
}

}  // namespace

TEST_CASE("OFF: plain, with comments and colours, numbers beside the word, polygons as fans") {
  const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n0 0 -2.5\n", faces = "3 0 1 2\n3 0 2 3\n";
  CHECK(parse_off("a.off", "OFF\n4 2 0\n" + vertices + faces) == both);
  CHECK(parse_off("a.off", "OFF4 2 0\n" + vertices + faces) == both);
  CHECK(parse_off("a.off", "# made\r\nOFF # so\r\n4 2\r\n\r\n" + vertices + "# then\r\n" + faces).size() == 2);
  CHECK(parse_off("a.off",
                  "COFF\n4 2 0\n0 0 0 9 9 9 1\n1 0 0 9 9 9 1\n+0 1e0 0 9 9 9 1\n0 0 -2.5 9 9 9 1\n"
                  "3 0 1 2 255 0 0\n3 0 2 3\n") == both);
  const Triangles fan = parse_off("a.off", "OFF\n4 3 0\n" + vertices + "4 0 1 2 3\n2 0 1\n1 3\n");
  CHECK(fan == Triangles{first, second});
}

TEST_CASE("OFF: what is wrong is told with its line") {
  CHECK(off_refusal("") == "a.off: the file is empty");
  CHECK(off_refusal("solid\n").find("line 1: an OFF file begins with 'OFF'") != std::string::npos);
  CHECK(off_refusal("4OFF\n1 1 1\n").find("line 1") != std::string::npos);
  CHECK(off_refusal("OFF BINARY\n") == "a.off: a binary OFF file; only those of text are read");
  CHECK(off_refusal("OFF\n# so\n3 x 0\n") == "a.off: line 3: the number of faces is 'x', not a whole number");
  CHECK(off_refusal("OFF\n3 1 0\n0 0 0\n0 1\n") == "a.off: line 4: a vertex's coordinate is missing");
  CHECK(off_refusal("OFF\n3 1 0\n0 0 0\n0 1 nan\n").find("line 4: a vertex's coordinate is nan") != std::string::npos);
  CHECK(off_refusal("OFF\n1 1 0\n0 0 1e31\n").find("at most 1e+30") != std::string::npos);
  CHECK(off_refusal("OFF\n16777215 1 0\n0 0 1\n") == "a.off: line 3: the file ends before the last vertex");
  CHECK(off_refusal("OFF\n1 1 0\n0 0 1\n3 0 1 0\n") == "a.off: line 4: vertex 1 is named, of 1 that are there");
  CHECK(off_refusal("OFF\n1 99999999 0\n").find("at most 4194304") != std::string::npos);
}

TEST_CASE("STL: text and binary hold the same") {
  const std::string text =
      "solid part\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n"
      " endfacet\n FACET NORMAL 0 0 1\n  OUTER LOOP\n   VERTEX 0 0 0\n   VERTEX 0 1 0\n   VERTEX 0 0 -2.5\n"
      "  ENDLOOP\n ENDFACET\nendsolid part\n";
  CHECK(parse_stl("a.stl", text) == both);
  CHECK(parse_stl("a.stl", binary_stl(both)) == both);
  CHECK(stl_refusal(text.substr(0, text.size() - 15)).find("line 15: the file ends before its 'endsolid'") !=
        std::string::npos);
  CHECK(stl_refusal("solid a\nvertex 0 0 0\nendloop\n") == "a.stl: line 3: a loop has 1 vertices instead of three");
  CHECK(stl_refusal("solid a\nvortex 0 0 0\n") == "a.stl: line 2: 'vortex' is no word of an STL file");
  CHECK(stl_refusal("sol") == "a.stl: 3 bytes: neither text that begins with 'solid' nor a binary STL file");
  std::string cut = binary_stl(both);
  cut[0] = 'x';
  cut.resize(cut.size() - 1);
  CHECK(stl_refusal(cut) == "a.stl: a binary STL file of 2 triangles has 184 bytes; this one has 183");
  std::string endless = binary_stl({{{{0, 0, 0}, {1, 0, 0}, {0, 1e31, 0}}}});
  CHECK(stl_refusal(endless).find("byte 124: a coordinate is") != std::string::npos);
}

TEST_CASE("a mesh is read by its ending") {
  const TemporaryFolder folder;
  LdrawLibrary library;
  folder.write("a.STL", binary_stl(both));
  folder.write("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  folder.write("a.dat", "0 a part\n3 16 0 0 0 1 0 0 0 1 0\n");
  CHECK(read_mesh(folder.file("a.STL"), library) == both);
  CHECK(read_mesh(folder.file("a.off"), library) == Triangles{first});
  CHECK(read_mesh(folder.file("a.dat"), library) == Triangles{first});
  CHECK(refusal([&] { read_mesh(folder.file("a.obj"), library); }).find("ends in .off, .stl") != std::string::npos);
  CHECK(refusal([&] { read_mesh(folder.file("b.off"), library); }).find("no such file") != std::string::npos);
}
