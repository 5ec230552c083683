// Texts of others as one line.
#include <doctest/doctest.h>

#include "printable.hpp"

using proxel::printable;

TEST_CASE("a text becomes one line that a terminal shows as it is") {
  CHECK(printable("Straße, 日本語, 𝄞", 100) == "Straße, 日本語, 𝄞");
  CHECK(printable("a\nb\r\tc", 100) == "a\\nb\\r\\tc");
  CHECK(printable("\x1b[31mred", 100) == "\\x1b[31mred");
  CHECK(printable(std::string_view("a\0b\x7f", 4), 100) == "a\\x00b\\x7f");
  CHECK(printable("\u0085\u2028\u202e", 100) == "\\u{85}\\u{2028}\\u{202e}");
  CHECK(printable("\xff\xc3", 100) == "\\xff\\xc3");
  CHECK(printable("\xc0\x80\xed\xa0\x80", 100) == "\\xc0\\x80\\xed\\xa0\\x80");
  CHECK(printable("", 100).empty());
}

TEST_CASE("a long text loses its middle, between characters") {
  CHECK(printable(std::string(100, 'x'), 100) == std::string(100, 'x'));
  for (const std::size_t length : {101u, 150u, 1000u, 1'000'000u}) {
    const std::string text = "first " + std::string(length, 'x') + " last";
    const std::string line = printable(text, 100);
    CHECK(line.size() <= 100);
    CHECK(line.size() > 90);
    CHECK(line.find("first x") == 0);
    CHECK(line.find("x last") == line.size() - 6);
    CHECK(line.find("…") != std::string::npos);
  }
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "語";
  for (std::size_t most = 20; most < 30; ++most) {
    const std::string line = printable(many, most);
    CHECK(line.size() <= most);
    CHECK(line.find("\\x") == std::string::npos);
  }
}
