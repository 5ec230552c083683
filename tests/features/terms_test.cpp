// Texts as term frequencies.
#include <cmath>

#include "features/terms.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::features;
using namespace proxel::testing;

namespace {

std::vector<std::string> terms(std::string_view text) {
  std::vector<std::string> found;
  for_each_term(text, [&](std::string_view term) { found.emplace_back(term); });
  return found;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("terms are runs of letters and digits in small letters") {
  CHECK(terms("") == Words{});
  CHECK(terms(" ,.- ") == Words{});
  CHECK(terms("The cat's 2 HATS") == Words{"the", "cat", "s", "2", "hats"});
  CHECK(terms("Übergröße ÉTÉ Žižek ŁÓDŹ") == Words{"übergröße", "été", "žižek", "łódź"});
  CHECK(terms("ΆΈΉΊΌΎΏ ΑΩ Москва Ёж Ђ") == Words{"άέήίόύώ", "αω", "москва", "ёж", "ђ"});
  CHECK(terms("“quoted”—dash…3×4÷2 ﷽ 東京、大阪") == Words{"quoted", "dash", "3", "4", "2", "﷽", "東京", "大阪"});
  CHECK(terms("\xEF\xBB\xBFmark") == Words{"mark"});
  CHECK(terms("𐐀𐐨") == Words{"𐐀𐐨"});
}

TEST_CASE("bytes that are not UTF-8 are between terms") {
  // Latin-1; a lone continuation; three overlong forms, two of a letter; a surrogate; beyond the last; cut at the end.
  for (const std::string bad :
       {"\xE9", "\x80", "\xC0\xAF", "\xE0\x81\xA1", "\xF0\x80\x81\xA1", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"})
    CHECK(terms("caf" + bad) == Words{"caf"});
  CHECK(terms("a\xFF"
              "b") == Words{"a", "b"});
}

TEST_CASE("a term's place is FNV-1a") {
  // Published values of the 64-bit hash, folded: 0xcbf29ce484222325, 0xaf63dc4c8601ec8c, 0x85944171f73967e8.
  CHECK(term_hash("") == (0xcbf29ce4u ^ 0x84222325u));
  CHECK(term_hash("a") == (0xaf63dc4cu ^ 0x8601ec8cu));
  CHECK(term_hash("foobar") == (0x85944171u ^ 0xf73967e8u));
}

TEST_CASE("frequencies are counted where their hashes say") {
  std::vector<float> counts(7);
  CHECK(count_terms("a.txt", "red Red green RED", 7, counts.data()) == 4);
  std::vector<float> expected(7);
  expected[term_hash("red") % 7] += 3;
  expected[term_hash("green") % 7] += 1;
  CHECK(counts == expected);
  CHECK(refusal([&] { count_terms("a.txt", std::string_view("one\ntwo\0", 8), 7, counts.data()); }) ==
        "a.txt: line 2: a zero byte, which no text has");
}

TEST_CASE("what is in few texts weighs more, and lengths become one") {
  Matrix<float> rows(3, 2);
  rows(0, 0) = 2;
  rows(1, 0) = 1;
  rows(1, 1) = 1;
  weigh(rows, rarity_weights(rows));
  CHECK(rows(0, 0) == doctest::Approx(2 * (std::log(4.0 / 3) + 1)));
  CHECK(rows(1, 1) == doctest::Approx(std::log(4.0 / 2) + 1));
  CHECK(rows(2, 1) == 0);
  make_unit_length(rows);
  CHECK(rows(0, 0) == 1);
  CHECK(rows(1, 0) * rows(1, 0) + rows(1, 1) * rows(1, 1) == doctest::Approx(1));
  CHECK(rows(2, 0) == 0);
}
