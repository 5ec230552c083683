// Strings of code points and of bytes, and what an index of them refuses.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "proxel/permutation.hpp"

using namespace proxel;

TEST_CASE("strings come back as they were added") {
  for (const StringUnits units : {StringUnits::code_points, StringUnits::bytes}) {
    Strings strings(units);
    const std::string texts[] = {"", "a", "Straße", "日本語", "𝄞 clef", std::string("nul\0inside", 10)};
    for (const std::string& text : texts) strings.add(text);
    REQUIRE(strings.size() == std::size(texts));
    for (std::size_t i = 0; i < std::size(texts); ++i) CHECK(strings.text(i) == texts[i]);
    CHECK(strings[3].size() == (units == StringUnits::bytes ? 9 : 3));
    CHECK(strings.longest() == (units == StringUnits::bytes ? 10 : 10));
  }
}

TEST_CASE("what is not UTF-8 is refused with its place, and changes nothing") {
  Strings strings;
  strings.add("fine");
  for (const std::string text : {"\xFF", "ab\xC3", "\xC0\x80", "\xED\xA0\x80", "x\xF5\x80\x80\x80"}) {
    CHECK_THROWS_AS(strings.add(text), Error);
    CHECK(strings.size() == 1);
  }
  strings.add("also fine");
  CHECK(strings.text(1) == "also fine");
  Strings bytes(StringUnits::bytes);
  bytes.add("\xFF");
  CHECK(bytes[0][0] == 0xFF);
}

TEST_CASE("nearest strings by distance, then by index; code points count as one") {
  const auto device = open_device("cpu");
  Strings words;
  for (const char* word : {"kitten", "sitting", "", "mitten", "kitten", "Straße", "Strasse"}) words.add(word);
  StringIndex index(*device, words);
  CHECK(index.size() == 7);
  Strings queries;
  for (const char* query : {"kitten", "", "Straẞe"}) queries.add(query);
  const Neighbors found = index.search(queries, 9);
  const std::uint32_t first[] = {0, 4, 3, 1};
  const float distances[] = {0, 0, 1, 3};
  for (int i = 0; i < 4; ++i) {
    CHECK(found.indices(0, i) == first[i]);
    CHECK(found.distances(0, i) == distances[i]);
  }
  CHECK(found.indices(1, 0) == 2);
  CHECK(found.distances(1, 1) == 6);
  CHECK(found.indices(2, 0) == 5);
  CHECK(found.distances(2, 0) == 1);
  CHECK(found.distances(2, 1) == 2);
  CHECK(found.indices(0, 7) == no_neighbor);
  CHECK(index.search(Strings(), 3).indices.rows() == 0);
}

TEST_CASE("an index of strings refuses what it cannot serve") {
  const auto device = open_device("cpu");
  CHECK_THROWS_AS(StringIndex(*device, Strings()), Error);
  Strings words;
  words.add("one");
  CHECK_THROWS_AS(StringIndex(*device, words, {.scratch_limit = 1}), Error);
  StringIndex index(*device, words);
  Strings queries;
  queries.add("two");
  CHECK_THROWS_AS(index.search(queries, 0), Error);
  Strings bytes(StringUnits::bytes);
  bytes.add("two");
  CHECK_THROWS_AS(index.search(bytes, 1), Error);
}

TEST_CASE("permutants are chosen by the seed, without repeats, or given") {
  const auto device = open_device("cpu");
  Strings words;
  for (int i = 0; i < 300; ++i) words.add(std::to_string(i * 7919));
  const auto chosen = [&](const PermutationOptions& options) {
    const PermutationIndex index(*device, words, options);
    return std::vector<std::uint32_t>(index.permutants().begin(), index.permutants().end());
  };
  std::vector<std::uint32_t> first = chosen({.permutants = 40, .seed = 3});
  CHECK(first == chosen({.permutants = 40, .seed = 3}));
  CHECK(first != chosen({.permutants = 40, .seed = 4}));
  std::sort(first.begin(), first.end());
  CHECK(std::adjacent_find(first.begin(), first.end()) == first.end());
  CHECK(first.back() < 300);
  CHECK(chosen({.chosen = {7, 5, 5}}) == std::vector<std::uint32_t>{7, 5, 5});
  CHECK_THROWS_AS(chosen({.permutants = 0}), Error);
  CHECK_THROWS_AS(chosen({.permutants = 257}), Error);
  CHECK_THROWS_AS(chosen({.chosen = {300}}), Error);
  CHECK_THROWS_AS(permutation_distance_from_string("euclid"), Error);
}

TEST_CASE("candidates are the fraction, rounded up, and never fewer than k or more than all") {
  const auto device = open_device("cpu");
  Strings words;
  for (int i = 0; i < 30; ++i) words.add(std::to_string(i));
  PermutationIndex index(*device, words, {.permutants = 64});
  CHECK(index.permutants().size() == 30);
  CHECK(index.candidates(1, 0.01) == 1);
  CHECK(index.candidates(1, 0.34) == 11);
  CHECK(index.candidates(1, 0.7) == 21);
  CHECK(index.candidates(7, 0.1) == 7);
  CHECK(index.candidates(70, 0.1) == 30);
  for (const double fraction : {0.0, -1.0, 1.01, std::nan("")})
    CHECK_THROWS_AS(index.candidates(1, fraction), Error);
  // Everything compared: the exact answer.
  StringIndex exact(*device, words);
  const Neighbors all = index.search(words, 4, 1);
  const Neighbors right = exact.search(words, 4);
  CHECK(all.indices == right.indices);
  CHECK(all.distances == right.distances);
}
