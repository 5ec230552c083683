#include <zlib.h>

#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

std::string gzip(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
  REQUIRE(gzclose(file) == Z_OK);
  return read_bytes(path);
}

TextLines lines_of(const std::string& bytes) { return read_text_lines(std::as_bytes(std::span(bytes)), "words"); }

using Lines = std::vector<std::string>;

}  // namespace

TEST_SUITE("text_lines") {
TEST_CASE("marks and ends are no part of a word, and empty lines are none") {
  const TextLines text = lines_of(
      "\xEF\xBB\xBF"
      "one\r\n\n two \n\r\nthree");
  CHECK(text.lines == Lines{"one", " two ", "three"});
  CHECK(text.empty == std::vector<std::uint64_t>{2, 4});
  CHECK(text.line_number(0) == 1);
  CHECK(text.line_number(1) == 3);
  CHECK(text.line_number(2) == 5);
  CHECK(lines_of("").lines.empty());
  CHECK(lines_of("\xEF\xBB\xBF").empty == std::vector<std::uint64_t>{1});
  CHECK(lines_of("\n\n\na\n").line_number(0) == 4);
  // Only at the beginning of the file, and whole.
  CHECK(lines_of("a\n\xEF\xBB\xBF"
                 "b\n")
            .lines[1] ==
        "\xEF\xBB\xBF"
        "b");
  CHECK(lines_of("\xEF\xBB"
                 "b\n")
            .lines[0] ==
        "\xEF\xBB"
        "b");
}

TEST_CASE("compressed lists are told by their first bytes") {
  CHECK(lines_of(gzip("one\n\ntwo\n")).lines == Lines{"one", "two"});
  CHECK_THROWS_AS(lines_of(gzip("one\n").substr(0, 12)), Error);
  const TemporaryFolder folder;
  CHECK(read_text_lines(folder.write("words.anything", gzip("a\n"))).lines == Lines{"a"});
  CHECK_THROWS_AS(read_text_lines(folder.file("missing")), Error);
}
}  // namespace suite
