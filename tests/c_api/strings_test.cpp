// Exact searches of strings.
#include <cmath>

#include "support.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

constexpr std::uint64_t k = 6;

std::string text_at(const proxel_string_index* index, std::uint32_t number) {
  std::uint64_t bytes = 0;
  CHECK_OK(proxel_string_index_get_text(index, number, nullptr, 0, &bytes));
  std::string text(bytes, '?');
  CHECK_OK(proxel_string_index_get_text(index, number, text.data(), bytes, &bytes));
  return text;
}

}  // namespace

TEST_CASE("strings are found, added and removed as in C++") {
  for (const std::string& id : device_ids())
    for (const char* distance : {"levenshtein", "hamming"}) {
      CAPTURE(id);
      CAPTURE(distance);
      const Words words(random_words(300, 1)), asked(random_words(20, 2)), more(random_words(10, 3));
      const proxel_strings c_words = words.c(), c_asked = asked.c(), c_more = more.c();
      const DeviceHandle device = open(id);
      const auto own = open_device(id);
      StringIndex cpp(*own, words.strings, {.distance = string_distance_from_string(distance)});
      proxel_string_options options = PROXEL_STRING_OPTIONS_INIT;
      options.distance = distance;
      StringIndexHandle index;
      CHECK_OK(proxel_string_index_create(device, &c_words, &options, &index));

      const auto compare = [&] {
        Found found(20, k);
        Counter counter;
        CHECK_OK(proxel_string_index_search(index, &c_asked, k, Counter::call, &counter, found.indices.data(),
                                            found.distances.data(), found.slots));
        CHECK(found == cpp.search(asked.strings, k));
        CHECK(counter.calls > 0);
        MatchesHandle matches;
        CHECK_OK(proxel_string_index_range_search(index, &c_asked, 3, nullptr, nullptr, &matches));
        CHECK(same(matches, cpp.range_search(asked.strings, 3)));
        proxel_times times = PROXEL_TIMES_INIT;
        CHECK_OK(proxel_string_index_get_times(index, &times));
        CHECK(plausible(times));
        proxel_string_index_info info = PROXEL_STRING_INDEX_INFO_INIT;
        CHECK_OK(proxel_string_index_get_info(index, &info));
        CHECK(info.size == cpp.size());
        CHECK(info.alphabet == cpp.alphabet());
        CHECK(std::string(info.units) == "code-points");
        CHECK(info.build_milliseconds > 0);
      };
      compare();
      std::uint64_t first = 0, removed = 0;
      CHECK_OK(proxel_string_index_add(index, &c_more, &first));
      CHECK(first == cpp.add(more.strings));
      const std::uint32_t numbers[] = {5, 5, 301};
      CHECK_OK(proxel_string_index_remove(index, numbers, 3, &removed));
      CHECK(removed == cpp.remove(numbers));
      compare();
      for (const std::uint32_t number : {0u, 7u, 300u}) CHECK(text_at(index, number) == cpp.text(number));
    }
}

TEST_CASE("bytes, lengths and texts that end with a zero") {
  const DeviceHandle device = open("cpu");
  const char* texts[] = {"one", "two", nullptr};
  const std::uint64_t lengths[] = {3, 2, 0};
  proxel_strings strings = PROXEL_STRINGS_INIT;
  strings.texts = texts;
  strings.count = 2;
  StringIndexHandle ended, measured;
  CHECK_OK(proxel_string_index_create(device, &strings, nullptr, &ended));
  CHECK(text_at(ended, 1) == "two");
  strings.lengths = lengths;
  strings.count = 3;
  strings.units = "bytes";
  CHECK_OK(proxel_string_index_create(device, &strings, nullptr, &measured));
  CHECK(text_at(measured, 1) == "tw");
  CHECK(text_at(measured, 2).empty());
  proxel_string_index_info info = PROXEL_STRING_INDEX_INFO_INIT;
  CHECK_OK(proxel_string_index_get_info(measured, &info));
  CHECK(std::string(info.units) == "bytes");

  const Words any({std::string("\xFF\x00\x80", 3), "x"}, StringUnits::bytes);
  const proxel_strings c_any = any.c();
  measured.reset();
  CHECK_OK(proxel_string_index_create(device, &c_any, nullptr, &measured));
  CHECK(text_at(measured, 0) == any.words[0]);
}

TEST_CASE("strings that cannot be searched are refused") {
  const DeviceHandle device = open("cpu");
  const Words words(random_words(20, 1)), bytes({"a"}, StringUnits::bytes);
  const proxel_strings c_words = words.c(), c_bytes = bytes.c();
  StringIndexHandle index, none;
  CHECK_OK(proxel_string_index_create(device, &c_words, nullptr, &index));
  Found found(20, k);
  const auto search = [&](const proxel_strings* asked, std::uint64_t neighbours, std::uint64_t slots) {
    return proxel_string_index_search(index, asked, neighbours, nullptr, nullptr, found.indices.data(),
                                      found.distances.data(), slots);
  };
  CHECK_FAILS(search(nullptr, k, found.slots), PROXEL_INVALID_ARGUMENT, "queries");
  CHECK_FAILS(search(&c_words, 0, found.slots), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(search(&c_words, k, 5), PROXEL_INVALID_ARGUMENT, "slots");
  CHECK(search(&c_bytes, k, found.slots) == PROXEL_INVALID_ARGUMENT);
  CHECK(found.untouched());
  Counter counter;
  counter.end_at = 1;
  CHECK_FAILS(proxel_string_index_search(index, &c_words, k, Counter::call, &counter, found.indices.data(),
                                         found.distances.data(), found.slots),
              PROXEL_CANCELLED, "progress");
  CHECK_OK(search(&c_words, k, found.slots));

  MatchesHandle matches;
  CHECK(proxel_string_index_range_search(index, &c_words, NAN, nullptr, nullptr, &matches) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_string_index_range_search(index, &c_words, 1, nullptr, nullptr, nullptr), PROXEL_INVALID_ARGUMENT,
              "matches");
  CHECK_FAILS(proxel_string_index_add(nullptr, &c_words, nullptr), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_string_index_add(index, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "strings");
  const std::uint32_t beyond = 20;
  CHECK(proxel_string_index_remove(index, &beyond, 1, nullptr) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_string_index_remove(index, nullptr, 1, nullptr), PROXEL_INVALID_ARGUMENT, "numbers");

  char text[64];
  std::uint64_t size = 0;
  std::uint32_t long_one = 0;
  while (words.words[long_one].size() < 2) ++long_one;
  CHECK_FAILS(proxel_string_index_get_text(index, long_one, text, 1, &size), PROXEL_INVALID_ARGUMENT, "capacity");
  CHECK(size == words.words[long_one].size());
  CHECK_FAILS(proxel_string_index_get_text(index, long_one, nullptr, 64, &size), PROXEL_INVALID_ARGUMENT, "text");
  CHECK_FAILS(proxel_string_index_get_text(index, long_one, text, 64, nullptr), PROXEL_INVALID_ARGUMENT, "bytes");
  CHECK(proxel_string_index_get_text(index, 99, text, 64, &size) == PROXEL_INVALID_ARGUMENT);

  proxel_string_options options = PROXEL_STRING_OPTIONS_INIT;
  options.distance = "jaro";
  CHECK_FAILS(proxel_string_index_create(device, &c_words, &options, &none), PROXEL_INVALID_ARGUMENT, "distance");
  options = PROXEL_STRING_OPTIONS_INIT;
  options.scratch_limit = 1;
  CHECK_FAILS(proxel_string_index_create(device, &c_words, &options, &none), PROXEL_INVALID_ARGUMENT, "scratch limit");
  proxel_strings bad = c_words;
  bad.units = "letters";
  CHECK_FAILS(proxel_string_index_create(device, &bad, nullptr, &none), PROXEL_INVALID_ARGUMENT, "units");
  bad = c_words;
  bad.texts = nullptr;
  CHECK_FAILS(proxel_string_index_create(device, &bad, nullptr, &none), PROXEL_INVALID_ARGUMENT, "strings");
  const char* missing[] = {"a", nullptr};
  bad = PROXEL_STRINGS_INIT;
  bad.texts = missing;
  bad.count = 2;
  CHECK_FAILS(proxel_string_index_create(device, &bad, nullptr, &none), PROXEL_INVALID_ARGUMENT, "strings");
  const char* broken[] = {"\xC3"};
  bad.texts = broken;
  bad.count = 1;
  CHECK_FAILS(proxel_string_index_create(device, &bad, nullptr, &none), PROXEL_INVALID_ARGUMENT, "string");
  bad.count = 0;
  CHECK(proxel_string_index_create(device, &bad, nullptr, &none) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_string_index_create(nullptr, &c_words, nullptr, &none), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_string_index_create(device, &c_words, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "index");
  CHECK(none == nullptr);
  proxel_times times = PROXEL_TIMES_INIT;
  proxel_string_index_info info = PROXEL_STRING_INDEX_INFO_INIT;
  CHECK_FAILS(proxel_string_index_get_times(nullptr, &times), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_string_index_get_info(nullptr, &info), PROXEL_INVALID_ARGUMENT, "index");
}
