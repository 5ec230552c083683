#include <algorithm>
#include <random>

#include <zlib.h>

#include "proxel/device.hpp"
#include "support.hpp"
#include "words/word_search.hpp"

using namespace demo;
using demo::test::error_of;
using proxel::ErrorCode;
using proxel::StringDistance;

namespace {

std::shared_ptr<const WordList> list_of(const std::vector<std::string>& words) {
  auto list = std::make_shared<WordList>();
  for (const std::string& word : words) list->words.add(word);
  return list;
}

// Words of few letters, so that many are near each other.
std::vector<std::string> made_words(std::size_t count, std::size_t longest) {
  std::mt19937 generator(7);
  std::vector<std::string> words(count);
  for (std::string& word : words)
    for (std::size_t length = 1 + generator() % longest; word.size() < length;)
      word += static_cast<char>('a' + generator() % 3);
  return words;
}

// A file compressed by gzip; its bytes.
std::string write_gzipped(const std::string& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb9");
  REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
  REQUIRE(gzclose(file) == Z_OK);
  return proxel::testing::read_bytes(path);
}

std::vector<std::uint32_t> numbers(const WordAnswer& answer) {
  std::vector<std::uint32_t> result;
  for (const FoundWord& word : answer.words) result.push_back(word.number);
  return result;
}

}  // namespace

TEST_CASE("words are read line by line, compressed or not") {
  const test::Folder folder;
  const std::string text = "one\r\ntwo\n\n\nstraße\nlast";
  write_gzipped(folder.file("packed.gz"), text);
  for (const std::string& path : {folder.write("plain.txt", text), folder.file("packed.gz")}) {
    const WordList list = read_words(path);
    REQUIRE(list.words.size() == 4);
    CHECK(list.words.text(0) == "one");
    CHECK(list.words.text(2) == "straße");
    CHECK(list.words.text(3) == "last");
    CHECK(list.words[2].size() == 6);
    CHECK(list.longest_bytes == 7);
  }
}

TEST_CASE("what is no list of words is refused in plain words") {
  const test::Folder folder;
  CHECK(error_of([&] { read_words(folder.file("nowhere")); }).code() == ErrorCode::not_found);
  CHECK(error_of([&] { read_words(folder.file(".")); }).code() == ErrorCode::invalid_argument);
  CHECK(error_of([&] { read_words(folder.write("empty", "\n\n")); }).code() == ErrorCode::invalid_argument);
  const auto bytes = error_of([&] {
    read_words(folder.write("bytes",
                            "good\n\nb\xFF"
                            "d\n"));
  });
  CHECK(bytes.code() == ErrorCode::malformed_file);
  CHECK(std::string(bytes.what()).find("line 3") != std::string::npos);
  std::string words;
  for (const std::string& word : made_words(4000, 12)) words += word + '\n';
  const std::string packed = write_gzipped(folder.file("whole.gz"), words);
  CHECK(error_of([&] { read_words(folder.write("short.gz", packed.substr(0, packed.size() / 2))); }).code() ==
        ErrorCode::malformed_file);
  std::string damaged = packed;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);  // in the checksum
  CHECK(error_of([&] { read_words(folder.write("damaged.gz", damaged)); }).code() == ErrorCode::malformed_file);
}

TEST_CASE("a script of edits makes the word of the query, in as many edits as the distance") {
  const std::vector<std::string> words = made_words(300, 9);
  const auto list = list_of(words);
  const auto device = proxel::open_device("cpu:reference");
  for (const StringDistance distance : {StringDistance::levenshtein, StringDistance::hamming}) {
    proxel::StringIndex index(*device, list->words, {.distance = distance});
    for (const std::string query : {"abc", "ccccbbbbb", "b", "abacabacabac", "xyz"}) {
      proxel::Strings asked;
      asked.add(query);
      const proxel::Neighbors all = index.search(asked, words.size());
      for (std::uint64_t rank = 0; rank < words.size(); ++rank) {
        const std::uint32_t number = all.indices(0, rank);
        const auto script = edit_script(asked[0], list->words[number], distance);
        CHECK(edits(script) == static_cast<std::uint64_t>(all.distances(0, rank)));
        std::string made, same_in_word, same_in_query;
        std::size_t from_query = 0;
        for (const EditStep& step : script) {
          if (step.edit != Edit::removed) made += step.letter;
          if (step.edit == Edit::same) same_in_word += step.letter, same_in_query += query[from_query];
          if (step.edit != Edit::inserted) ++from_query;
        }
        CHECK(made == words[number]);
        CHECK(same_in_word == same_in_query);
        CHECK(from_query == query.size());
      }
    }
  }
}

TEST_CASE("letters are those of the text, whatever they take in UTF-8") {
  proxel::Strings words;
  words.add("naïve");
  words.add("naive");
  const auto script = edit_script(words[0], words[1], StringDistance::levenshtein);
  CHECK(script ==
        std::vector<EditStep>{
            {Edit::same, "n"}, {Edit::same, "a"}, {Edit::changed, "i"}, {Edit::same, "v"}, {Edit::same, "e"}});
  CHECK(edit_script(words[1], words[0], StringDistance::levenshtein)[2] == EditStep{Edit::changed, "ï"});
  CHECK(edit_script({}, {}, StringDistance::levenshtein).empty());
}

TEST_CASE("words are found by both ways, and recall tells what the index missed") {
  const std::vector<std::string> words = made_words(2000, 10);
  const auto device = proxel::open_device("cpu");
  WordSearch search(*device, list_of(words));
  WordQuestion question{.text = "abcabcab", .k = 20, .permutants = 16, .fraction = 1};
  CHECK(!search.ready(question));
  const WordResult whole = search.search(question);
  CHECK(search.ready(question));
  REQUIRE(whole.exact.words.size() == 20);
  CHECK(numbers(whole.exact) == numbers(whole.approximate));
  CHECK(whole.recall.by_identity == 1);
  CHECK(whole.approximate.compared == 2000);
  CHECK(std::is_sorted(whole.exact.words.begin(), whole.exact.words.end(), [](const auto& a, const auto& b) {
    return std::pair(a.distance, a.number) < std::pair(b.distance, b.number);
  }));
  for (const FoundWord& word : whole.exact.words) {
    CHECK(word.text == words[word.number]);
    CHECK(edits(word.script) == static_cast<std::uint64_t>(word.distance));
  }

  question.fraction = 0.01;
  CHECK(search.ready(question));  // f takes effect at once
  const WordResult part = search.search(question);
  CHECK(numbers(part.exact) == numbers(whole.exact));
  CHECK(part.approximate.compared == 20);
  const auto exact = numbers(part.exact);
  const auto shared =
      std::count_if(part.approximate.words.begin(), part.approximate.words.end(),
                    [&](const FoundWord& word) { return std::count(exact.begin(), exact.end(), word.number) != 0; });
  CHECK(part.recall.by_identity == doctest::Approx(static_cast<double>(shared) / 20));
  CHECK(part.recall.by_identity < 1);
  CHECK(part.recall.with_ties >= part.recall.by_identity);

  question.permutants = 8;
  CHECK(!search.ready(question));
  question.permutants = 16;
  question.distance = StringDistance::hamming;
  CHECK(!search.ready(question));
  CHECK(search.search(question).exact.words[0].distance >= 0);
}

TEST_CASE("the making of an index can be ended, and begun again") {
  const auto device = proxel::open_device("cpu");
  WordSearch search(*device, list_of(made_words(2000, 10)));
  const WordQuestion question{.text = "abc", .permutants = 16};
  CHECK_THROWS_AS(search.prepare(question, [](std::uint64_t, std::uint64_t) { throw std::logic_error("enough"); }),
                  std::logic_error);
  CHECK(!search.ready(question));
  CHECK(search.search(question).exact.words.size() == 10);
}

TEST_CASE("small lists and odd questions") {
  const auto device = proxel::open_device("cpu");
  WordSearch search(*device, list_of({"a", "b", "ab"}));
  const WordResult result = search.search({.text = "ab", .k = 10, .permutants = 64, .fraction = 0.5});
  CHECK(numbers(result.exact) == std::vector<std::uint32_t>{2, 0, 1});
  CHECK(result.recall.by_identity == 1);
  CHECK(search.search({.text = "", .k = 1}).exact.words[0].number == 0);
  CHECK(error_of([&] { search.search({.text = "\xFF"}); }).code() == ErrorCode::invalid_argument);
  CHECK(error_of([&] { search.search({.text = "a", .fraction = 0}); }).code() == ErrorCode::invalid_argument);
  // What was refused leaves it usable.
  CHECK(search.search({.text = "b", .k = 1}).exact.words[0].text == "b");
}

TEST_CASE("devices answer the same, and a difference would be told") {
  const auto list = list_of(made_words(700, 8));
  const WordQuestion question{.text = "abbacca", .k = 12, .permutants = 10, .fraction = 0.1};
  const auto first = proxel::open_device("cpu");
  const auto second = proxel::open_device("cpu:reference");
  WordResult a = WordSearch(*first, list).search(question);
  const WordResult b = WordSearch(*second, list).search(question);
  CHECK(difference(a, b).empty());
  // The other's index, copied.
  WordSearch origin(*first, list), copy(*second, list);
  origin.prepare(question);
  copy.prepare_as(origin, question);
  CHECK(copy.ready(question));
  CHECK(difference(a, copy.search(question)).empty());
  CHECK_THROWS_AS(copy.search(question, [] { throw std::logic_error("enough"); }), std::logic_error);
  a.approximate.neighbors.indices(0, 3) ^= 1;
  CHECK(difference(a, b).find("permutation index: at place 4") == 0);
  a.exact.neighbors.distances(0, 0) = 99;
  CHECK(difference(a, b).find("exact: at place 1") == 0);
}

TEST_CASE("the bundled words") {
  const auto list = std::make_shared<WordList>(read_words(PROXEL_DATA_FOLDER "/words.txt.gz"));
  CHECK(list->words.size() == 85000);
  const auto device = proxel::open_device("cpu");
  WordSearch search(*device, list);
  const WordResult result = search.search({.text = "proksimity", .k = 3});
  REQUIRE(!result.exact.words.empty());
  CHECK(result.exact.words[0].text == "proximity");
  CHECK(result.exact.words[0].distance == 2);
}
