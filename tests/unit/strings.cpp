// Strings of code points and of bytes, and what an index of them refuses.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include "proxel/permutation.hpp"
#include "refused.hpp"

using namespace proxel;
using proxel::unit::check_refused;

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

TEST_CASE("plans of strings, of both indexes, say what they need and refuse what cannot be") {
  const auto device = open_device("cpu");
  Strings words;
  for (const char* word : {"one", "two", "three", "four"}) words.add(word);
  StringIndex strings(*device, words);
  PermutationIndex permutations(*device, words);
  const SearchRequirements nearest = strings.plan(3, 5, 2)->requirements();
  CHECK(nearest.queries.bytes == 3 * 5 * 4);
  CHECK(nearest.query_offsets.bytes == 4 * 4);
  CHECK(nearest.indices.bytes == 3 * 2 * 4);
  CHECK(nearest.offsets.bytes == 0);
  const SearchRequirements near = permutations.plan_range(3, 0, 1, 0.5)->requirements();
  CHECK(near.queries.bytes == 4);
  CHECK(near.indices.bytes == 4);
  CHECK(near.offsets.bytes == 4 * 8);
  CHECK(near.offsets.alignment == 8);

  check_refused([&] { strings.plan_range(0, 5, 1); }, "queries");
  check_refused([&] { strings.plan_range(1, 5, std::nanf("")); }, "radius");
  check_refused([&] { permutations.plan_range(1, 5, std::nanf(""), 1); }, "radius");
  check_refused([&] { strings.plan_range(1, 1u << 24, 1); }, "query length");
  check_refused([&] { permutations.plan_range(1, 5, 1, 0); }, "fraction");
  const auto plan = strings.plan_range(1, 5, 1);
  constexpr std::uint64_t bytes = 1024;
  const auto buffer = device->create_buffer(5 * bytes, MemoryKind::device);
  const auto scratch = device->create_buffer(plan->scratch_bytes(), MemoryKind::device);
  const auto part = [&](std::uint64_t number) { return BufferView(*buffer, number * bytes, bytes); };
  const auto commands = device->create_commands(Timing::none);
  commands->begin();
  SearchBuffers buffers{part(0), *scratch, part(2), part(3)};
  buffers.query_offsets = part(1);
  check_refused([&] { plan->record(*commands, buffers); }, "offsets buffer");
  buffers.offsets = part(4);
  plan->record(*commands, buffers);
  strings.remove(std::vector<std::uint32_t>{1});
  check_refused([&] { strings.plan_range(1, 5, 1); }, "plan", ErrorCode::unsupported);
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

TEST_CASE("who is told of the making of a permutation index may end it, and changes nothing else") {
  const auto device = open_device("cpu");
  Strings strings;
  for (std::uint32_t i = 0; i < 70'000; ++i) strings.add(std::to_string(i * 7919u));
  std::vector<std::uint64_t> told;
  PermutationIndex index(*device, strings, {.permutants = 40}, [&](std::uint64_t done, std::uint64_t total) {
    CHECK(total == 40);
    told.push_back(done);
  });
  // 14 permutants of 70,000 strings are 2^20 distances, about. What takes longer is told of meanwhile.
  const std::vector<std::uint64_t> pieces{14, 28, 40};
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(std::includes(told.begin(), told.end(), pieces.begin(), pieces.end()));
  CHECK(told.back() == 40);
  Strings query;
  query.add("79191");
  const Neighbors found = index.search(query, 20, 0.001);
  const Neighbors expected = PermutationIndex(*device, strings, {.permutants = 40}).search(query, 20, 0.001);
  CHECK(found.indices == expected.indices);
  CHECK(found.distances == expected.distances);
  std::uint64_t calls = 0;
  CHECK_THROWS_AS(PermutationIndex(*device, strings, {.permutants = 40},
                                   [&](std::uint64_t, std::uint64_t) {
    ++calls;
    throw 1;
  }),
                  int);
  CHECK(calls == 1);
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
  for (const double fraction : {0.0, -1.0, 1.01, std::nan("")}) CHECK_THROWS_AS(index.candidates(1, fraction), Error);
  // Everything compared: the exact answer.
  StringIndex exact(*device, words);
  const Neighbors all = index.search(words, 4, 1);
  const Neighbors right = exact.search(words, 4);
  CHECK(all.indices == right.indices);
  CHECK(all.distances == right.distances);
}

namespace {

std::vector<std::uint32_t> indices_of(const Neighbors& found, std::uint64_t query) {
  const std::uint64_t k = found.indices.columns();
  return {found.indices.data() + query * k, found.indices.data() + (query + 1) * k};
}

}  // namespace

TEST_CASE("strings within a radius, by distance and then by index") {
  const auto device = open_device("cpu");
  Strings words;
  for (const char* word : {"cat", "cart", "dog", "cat", "at", ""}) words.add(word);
  Strings queries;
  for (const char* query : {"cat", "x", "elephant"}) queries.add(query);
  const auto check = [&](auto& index, const auto&... fraction) {
    const RangeNeighbors found = index.range_search(queries, 1.9f, fraction...);
    CHECK(found.offsets == std::vector<std::uint64_t>{0, 4, 5, 5});
    CHECK(found.indices == std::vector<std::uint32_t>{0, 3, 1, 4, 5});
    CHECK(found.distances == std::vector<float>{0, 0, 1, 1, 1});
    CHECK(index.range_search(queries, -0.5f, fraction...).indices.empty());
    CHECK(index.range_search(queries, INFINITY, fraction...).count(2) == words.size());
    CHECK_THROWS_AS(index.range_search(queries, NAN, fraction...), Error);
    CHECK(index.range_search(Strings(), 1, fraction...).offsets == std::vector<std::uint64_t>{0});
  };
  StringIndex exact(*device, words);
  check(exact);
  PermutationIndex approximate(*device, words);
  check(approximate, 1.0);
}

TEST_CASE("strings are added and removed, and keep their numbers") {
  const auto device = open_device("cpu");
  Strings words;
  for (const char* word : {"cat", "cart", "dog"}) words.add(word);
  Strings query;
  query.add("cats");
  const auto check = [&](auto& index, const auto&... fraction) {
    const auto nearest = [&] { return indices_of(index.search(query, 3, fraction...), 0); };
    Strings more;
    for (const char* word : {"cats", "日本", ""}) more.add(word);
    CHECK(index.add(more) == 3);
    CHECK(index.add(Strings()) == 6);
    CHECK(nearest() == std::vector<std::uint32_t>{3, 0, 1});
    CHECK(index.remove(std::vector<std::uint32_t>{3, 1, 3}) == 2);
    CHECK(index.remove(std::vector<std::uint32_t>{1}) == 0);
    CHECK_THROWS_AS(index.remove(std::vector<std::uint32_t>{0, 6}), Error);
    CHECK(index.size() == 4);
    CHECK(nearest() == std::vector<std::uint32_t>{0, 2, 4});
    Strings bytes(StringUnits::bytes);
    bytes.add("cats");
    CHECK_THROWS_AS(index.add(bytes), Error);
    // All of them, and some again.
    CHECK(index.remove(std::vector<std::uint32_t>{0, 2, 4, 5}) == 4);
    CHECK(nearest() == std::vector<std::uint32_t>(3, no_neighbor));
    CHECK(index.search(query, 1, fraction...).distances(0, 0) == INFINITY);
    CHECK(index.range_search(query, 9, fraction...).offsets == std::vector<std::uint64_t>{0, 0});
    CHECK(index.add(query) == 6);
    CHECK(nearest() == std::vector<std::uint32_t>{6, no_neighbor, no_neighbor});
  };
  StringIndex exact(*device, words);
  check(exact);
  PermutationIndex approximate(*device, words, {.permutants = 3});
  check(approximate, 1.0);
  CHECK(std::vector<std::uint32_t>(approximate.permutants().begin(), approximate.permutants().end()).size() == 3);
}

TEST_CASE("the chosen fraction reaches the recall, and little less does not") {
  const auto device = open_device("cpu");
  Strings words, queries;
  for (int i = 0; i < 3000; ++i) words.add(std::to_string(i * 7919 % 100003) + std::to_string(i * 31 % 977));
  for (int i = 0; i < 60; ++i) queries.add(std::to_string(i * 104729 % 99991) + std::to_string(i));
  PermutationIndex index(*device, words, {.permutants = 12});
  const Neighbors exact = index.search(queries, 3, 1);
  const auto recall = [&](double fraction) {
    const Neighbors found = index.search(queries, 3, fraction);
    double hits = 0;
    for (std::uint64_t query = 0; query < queries.size(); ++query)
      for (std::uint64_t rank = 0; rank < 3; ++rank)
        hits += found.distances(query, rank) <= exact.distances(query, 2) ? 1 : 0;
    return hits / static_cast<double>(3 * queries.size());
  };
  const FractionChoice choice = index.choose_fraction(0.9, 3, queries);
  CHECK(choice.queries == 60);
  CHECK(choice.recall >= 0.9);
  CHECK(choice.recall == doctest::Approx(recall(choice.fraction)));
  CHECK(choice.fraction < 1);
  CHECK(recall(choice.fraction / 1.06) < 0.9);
  // A sample of its own: no string finds itself.
  const FractionChoice own = index.choose_fraction(0.9, 3, Strings());
  CHECK(own.queries == 500);
  CHECK(own.recall >= 0.9);
  CHECK(own.fraction > 3.0 / 3000);
  CHECK_THROWS_AS(index.choose_fraction(0, 3, queries), Error);
  CHECK_THROWS_AS(index.choose_fraction(1.5, 3, queries), Error);
  CHECK(index.choose_fraction(1, 3, queries).recall == 1);
}

TEST_CASE("a permutation index is saved and loaded, and goes on as it was") {
  const auto device = open_device("cpu");
  Strings words;
  for (int i = 0; i < 90; ++i) words.add(i == 7 ? "日本" : std::to_string(i * 7919));
  Strings queries;
  for (const char* query : {"7919", "", "日", "123456"}) queries.add(query);
  const std::string path = "saved-permutation-index.tmp", again = "saved-again.tmp";
  for (const std::uint32_t prefix : {0u, 3u}) {
    PermutationIndex index(*device, words,
                           {.permutants = 9, .prefix = prefix, .distance = passes::PermutationDistance::spearman_rho});
    index.remove(std::vector<std::uint32_t>{3, 7, index.permutants()[0]});
    Strings more;
    more.add("added");
    index.add(more);
    index.save(path);
    PermutationIndex loaded = PermutationIndex::load(*device, path);
    CHECK(loaded.size() == 88);
    CHECK(loaded.text(90) == "added");
    CHECK_THROWS_AS(loaded.text(7), Error);
    CHECK(std::equal(index.permutants().begin(), index.permutants().end(), loaded.permutants().begin()));
    loaded.save(again);
    const auto bytes = [](const std::string& name) {
      std::ifstream file(name, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(file), {});
    };
    CHECK(bytes(path) == bytes(again));
    const Neighbors before = index.search(queries, 5, 0.2), after = loaded.search(queries, 5, 0.2);
    for (std::uint64_t query = 0; query < queries.size(); ++query)
      CHECK(indices_of(before, query) == indices_of(after, query));
    CHECK(loaded.add(more) == 91);
    // Without any string.
    std::vector<std::uint32_t> all(92);
    for (std::uint32_t i = 0; i < 92; ++i) all[i] = i;
    loaded.remove(all);
    loaded.save(path);
    PermutationIndex empty = PermutationIndex::load(*device, path);
    CHECK(empty.size() == 0);
    CHECK(empty.add(more) == 92);
    CHECK(empty.search(more, 1, 1).indices(0, 0) == 92);
  }
  CHECK_THROWS_AS(PermutationIndex::load(*device, "no such file"), Error);
  std::remove(path.c_str());
  std::remove(again.c_str());
}

TEST_CASE("under the Hamming distance what only the longer string has differs") {
  const auto device = open_device("cpu");
  Strings words, query;
  for (const char* word : {"ACGT", "ACCT", "ACGTAA", "", "GT"}) words.add(word);
  query.add("ACGT");
  StringIndex index(*device, words, {.distance = StringDistance::hamming});
  const Neighbors found = index.search(query, 5);
  CHECK(indices_of(found, 0) == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
  const float distances[] = {0, 1, 2, 4, 4};
  for (std::uint64_t rank = 0; rank < 5; ++rank) CHECK(found.distances(0, rank) == distances[rank]);
  CHECK(string_distance_from_string("hamming") == StringDistance::hamming);
  CHECK_THROWS_AS(string_distance_from_string("euclid"), Error);
}

TEST_CASE("strings that do not fit pass in parts, with the answers of those that do") {
  for (const std::string id : {"cpu", "cpu:reference"}) {
    const auto device = open_device(id);
    Strings words;
    std::uint32_t state = 1;
    for (int i = 0; i < 700; ++i) {
      std::string word;
      for (state = state * 1664525u + 1013904223u; word.size() < (state >> 28); state = state * 1664525u + 1013904223u)
        word += static_cast<char>('a' + (state >> 20) % 5);
      words.add(word);
    }
    Strings queries;
    for (const char* query : {"abc", "", "eeeeeeeee", "Straße"}) queries.add(query);
    for (const StringDistance distance : {StringDistance::levenshtein, StringDistance::hamming}) {
      StringIndex whole(*device, words, {.distance = distance});
      CHECK(whole.parts() == 1);
      // From one string at a time to all but one.
      for (const std::uint64_t limit :
           {std::uint64_t{1}, std::uint64_t{2000}, std::uint64_t{5000}, std::uint64_t{13000}}) {
        CAPTURE(id);
        CAPTURE(limit);
        StringIndex parts(*device, words, {.distance = distance, .memory_limit = limit});
        CHECK(parts.parts() > 1);
        CHECK((limit == 1) == (parts.parts() == words.size()));
        CHECK(parts.alphabet() == whole.alphabet());
        std::uint64_t told = 0;
        const Progress progress = [&](std::uint64_t done, std::uint64_t total) {
          CHECK(done >= told);
          CHECK(done <= total);
          told = done;
        };
        // One that is broken off leaves parts that are packed, or being packed.
        CHECK_THROWS_AS(parts.search(queries, 1, [](std::uint64_t, std::uint64_t) { throw 1; }), int);
        for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{40}, words.size() + 3}) {
          told = 0;
          const Neighbors found = parts.search(queries, k, progress), expected = whole.search(queries, k);
          CHECK(found.indices == expected.indices);
          CHECK(found.distances == expected.distances);
          CHECK(found.report.method == expected.report.method);
          CHECK(found.report.compared == expected.report.compared);
        }
        for (const float radius : {-1.0f, 0.0f, 3.0f, 100.0f}) {
          const RangeNeighbors found = parts.range_search(queries, radius),
                               expected = whole.range_search(queries, radius);
          CHECK(found.offsets == expected.offsets);
          CHECK(found.indices == expected.indices);
          CHECK(found.distances == expected.distances);
        }
        check_refused([&] { parts.plan(1, 3, 2); }, "plan", ErrorCode::unsupported);
        check_refused([&] { parts.search(queries, 0); }, "k");
        if (limit != 2000) continue;
        const std::uint32_t gone[] = {0, 5, 699, 350};
        StringIndex fresh(*device, words, {.distance = distance});
        for (StringIndex* index : {&parts, &fresh}) {
          index->remove(gone);
          index->add(queries);
        }
        CHECK(parts.search(queries, 50).indices == fresh.search(queries, 50).indices);
      }
    }
  }
}
