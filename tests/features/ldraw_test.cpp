// Parts that are made of other files.
#include <filesystem>
#include <memory>

#include "features/ldraw.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::features;
using namespace proxel::testing;

namespace {

const std::string moved = "1 16 10 20 30 1 0 0 0 1 0 0 0 1 ";

// A library in a folder, as it is installed.
struct Library : TemporaryFolder {
  void put(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    write(name, text);
  }
};

}  // namespace

TEST_CASE("sub-files are placed, also within each other, from p/, parts/ and parts/s/") {
  const Library library;
  library.put("p/tri.dat", "3 16 1 0 0 0 1 0 0 0 1\n");
  library.put("parts/s/one.dat", moved + "tri.dat\n2 24 0 0 0 9 9 9\n5 24 0 0 0 9 9 9 1 1 1 2 2 2\n");
  // A quarter turn about z, twice as large.
  library.put("parts/whole.dat",
              "0 Whole\r\n1 16 100 0 0 0 -2 0 2 0 0 0 0 2 S\\One.dat\r\n4 16 0 0 0 1 0 0 1 1 0 0 1 0\r\n");
  LdrawLibrary files;
  const Triangles part = files.read(library.file("parts/whole.dat"));
  REQUIRE(part.size() == 3);
  CHECK(part[0] == Triangle{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}});
  CHECK(part[1] == Triangle{{{0, 0, 0}, {1, 1, 0}, {0, 1, 0}}});
  CHECK(part[2] == Triangle{{{60, 22, 60}, {58, 20, 60}, {60, 20, 62}}});
  // A part that lies elsewhere finds the library that is named.
  library.put("elsewhere/mine/deep/down/here/part.dat", moved + "tri.dat\n");
  LdrawLibrary named(library.file(""));
  CHECK(named.read(library.file("elsewhere/mine/deep/down/here/part.dat")).size() == 1);
}

TEST_CASE("a sub-file that is not there is named with the line that refers to it") {
  const Library library;
  library.put("parts/a.dat", "0 A\n" + moved + "b.dat\n");
  library.put("p/b.dat", "0 B\n0\n" + moved + "48\\c.dat\n");
  LdrawLibrary files;
  const std::string said = refusal([&] { files.read(library.file("parts/a.dat")); });
  CHECK(said.find("parts/a.dat: ") != std::string::npos);
  CHECK(said.find("p/b.dat, line 3: the sub-file '48/c.dat' is not there") != std::string::npos);
  CHECK(said.find("--ldraw") == std::string::npos);
  const TemporaryFolder alone;
  alone.write("a.dat", moved + "b.dat\n");
  CHECK(refusal([&] { files.read(alone.file("a.dat")); }).find("--ldraw names it") != std::string::npos);
}

TEST_CASE("files that hold themselves, multiply or look elsewhere end with an error") {
  const auto from = [](const std::string& text) {
    return refusal([&] {
      const LdrawFile file = parse_ldraw("a.dat", text);
      assembled(file, [&](const std::string&) { return std::make_shared<LdrawFile>(file); });
    });
  };
  CHECK(from(moved + "a.dat\n").find("line 1: sub-files are nested deeper than 32") != std::string::npos);
  // 2^25 sub-files, none of which has a triangle.
  const FindSubFile twice = [](const std::string& level) {
    const int below = std::stoi(level) - 1;
    const std::string both = moved + std::to_string(below) + "\n";
    return std::make_shared<const LdrawFile>(parse_ldraw(level, below < 0 ? "" : both + both));
  };
  CHECK(refusal([&] { assembled(*twice("25"), twice); }).find("more than 1048576 sub-files") != std::string::npos);
  for (const std::string name : {"../a.dat", "/etc/passwd", "..\\a.dat", "c:\\a.dat", ""})
    CHECK(refusal([&] { parse_ldraw("a.dat", moved + name + "\n"); }).find("a.dat: line 1: the sub-file") == 0);
  CHECK(refusal([&] { parse_ldraw("a.dat", "7 16\n"); }) == "a.dat: line 1: a line begins with 0 … 5, not with '7'");
  CHECK(refusal([&] { parse_ldraw("a.dat", "3 16 1 2 3\n"); }) == "a.dat: line 1: a coordinate is missing");
}
