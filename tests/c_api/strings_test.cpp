// Exact searches of strings.
#include <cmath>

#include "support.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

constexpr std::uint64_t k = 6;

std::string text_at(const proxel_index* index, std::uint32_t number) {
  std::uint64_t bytes = 0;
  CHECK_OK(proxel_index_get_text(index, number, nullptr, 0, &bytes));
  std::string text(bytes, '?');
  CHECK_OK(proxel_index_get_text(index, number, text.data(), bytes, &bytes));
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
      IndexHandle index;
      CHECK_OK(proxel_string_index_create(device, of(c_words), &options, &index));

      const auto compare = [&] {
        AnswerHandle found, matches;
        Counter counter;
        CHECK_OK(proxel_index_search(index, of(c_asked), k, telling(counter), &found));
        CHECK(same(found, cpp.search(asked.strings, k)));
        CHECK(counter.calls > 0);
        CHECK(plausible(report_of(found)));
        CHECK_OK(proxel_index_range_search(index, of(c_asked), 3, nullptr, &matches));
        CHECK(same(matches, cpp.range_search(asked.strings, 3)));
        proxel_index_info info = PROXEL_INDEX_INFO_INIT;
        CHECK_OK(proxel_index_get_info(index, &info));
        CHECK(std::string(info.kind) == "strings");
        CHECK(info.size == cpp.size());
        CHECK(info.alphabet == cpp.alphabet());
        CHECK(std::string(info.units) == "code-points");
        CHECK(info.build_milliseconds > 0);
      };
      compare();
      std::uint64_t first = 0, removed = 0;
      CHECK_OK(proxel_index_add(index, of(c_more), nullptr, nullptr, &first));
      CHECK(first == cpp.add(more.strings));
      const std::uint32_t numbers[] = {5, 5, 301};
      CHECK_OK(proxel_index_remove(index, numbers, 3, &removed));
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
  IndexHandle ended, measured;
  CHECK_OK(proxel_string_index_create(device, of(strings), nullptr, &ended));
  CHECK(text_at(ended, 1) == "two");
  strings.lengths = lengths;
  strings.count = 3;
  strings.units = "bytes";
  CHECK_OK(proxel_string_index_create(device, of(strings), nullptr, &measured));
  CHECK(text_at(measured, 1) == "tw");
  CHECK(text_at(measured, 2).empty());
  proxel_index_info info = PROXEL_INDEX_INFO_INIT;
  CHECK_OK(proxel_index_get_info(measured, &info));
  CHECK(std::string(info.units) == "bytes");

  const Words any({std::string("\xFF\x00\x80", 3), "x"}, StringUnits::bytes);
  const proxel_strings c_any = any.c();
  measured.reset();
  CHECK_OK(proxel_string_index_create(device, of(c_any), nullptr, &measured));
  CHECK(text_at(measured, 0) == any.words[0]);
}

TEST_CASE("strings that cannot be searched are refused") {
  const DeviceHandle device = open("cpu");
  const Words words(random_words(20, 1)), bytes({"a"}, StringUnits::bytes);
  const proxel_strings c_words = words.c(), c_bytes = bytes.c();
  IndexHandle index, none;
  CHECK_OK(proxel_string_index_create(device, of(c_words), nullptr, &index));
  AnswerHandle found;
  const auto search = [&](const proxel_strings& asked, std::uint64_t neighbours,
                          const proxel_search_options* options = nullptr) {
    return proxel_index_search(index, of(asked), neighbours, options, &found);
  };
  CHECK_FAILS(proxel_index_search(index, nullptr, k, nullptr, &found), PROXEL_INVALID_ARGUMENT, "queries");
  CHECK_FAILS(search(c_words, 0), PROXEL_INVALID_ARGUMENT, "k");
  CHECK(search(c_bytes, k) == PROXEL_INVALID_ARGUMENT);
  Counter counter;
  counter.end_at = 1;
  CHECK_FAILS(search(c_words, k, telling(counter)), PROXEL_CANCELLED, "progress");
  CHECK(found == nullptr);
  CHECK_OK(search(c_words, k));

  CHECK(proxel_index_range_search(index, of(c_words), NAN, nullptr, &found) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_index_range_search(index, of(c_words), 1, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "answer");
  CHECK_FAILS(proxel_index_add(nullptr, of(c_words), nullptr, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_index_add(index, nullptr, nullptr, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "objects");
  const std::uint32_t beyond = 20;
  CHECK(proxel_index_remove(index, &beyond, 1, nullptr) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_index_remove(index, nullptr, 1, nullptr), PROXEL_INVALID_ARGUMENT, "numbers");

  char text[64];
  std::uint64_t size = 0;
  std::uint32_t long_one = 0;
  while (words.words[long_one].size() < 2) ++long_one;
  CHECK_FAILS(proxel_index_get_text(index, long_one, text, 1, &size), PROXEL_INVALID_ARGUMENT, "capacity");
  CHECK(size == words.words[long_one].size());
  CHECK_FAILS(proxel_index_get_text(index, long_one, nullptr, 64, &size), PROXEL_INVALID_ARGUMENT, "text");
  CHECK_FAILS(proxel_index_get_text(index, long_one, text, 64, nullptr), PROXEL_INVALID_ARGUMENT, "bytes");
  CHECK(proxel_index_get_text(index, 99, text, 64, &size) == PROXEL_INVALID_ARGUMENT);

  proxel_string_options options = PROXEL_STRING_OPTIONS_INIT;
  options.memory_limit = 40;  // so that they pass in parts
  proxel_index* in_parts = nullptr;
  CHECK_OK(proxel_string_index_create(device, of(c_words), &options, &in_parts));
  proxel_index_destroy(in_parts);
  options = PROXEL_STRING_OPTIONS_INIT;
  options.distance = "jaro";
  CHECK_FAILS(proxel_string_index_create(device, of(c_words), &options, &none), PROXEL_INVALID_ARGUMENT, "distance");
  options = PROXEL_STRING_OPTIONS_INIT;
  options.scratch_limit = 1;
  CHECK_FAILS(proxel_string_index_create(device, of(c_words), &options, &none), PROXEL_INVALID_ARGUMENT,
              "scratch limit");
  proxel_strings bad = c_words;
  bad.units = "letters";
  CHECK_FAILS(proxel_string_index_create(device, of(bad), nullptr, &none), PROXEL_INVALID_ARGUMENT, "units");
  bad = c_words;
  bad.texts = nullptr;
  CHECK_FAILS(proxel_string_index_create(device, of(bad), nullptr, &none), PROXEL_INVALID_ARGUMENT, "strings");
  const char* missing[] = {"a", nullptr};
  bad = PROXEL_STRINGS_INIT;
  bad.texts = missing;
  bad.count = 2;
  CHECK_FAILS(proxel_string_index_create(device, of(bad), nullptr, &none), PROXEL_INVALID_ARGUMENT, "strings");
  const char* broken[] = {"\xC3"};
  bad.texts = broken;
  bad.count = 1;
  CHECK_FAILS(proxel_string_index_create(device, of(bad), nullptr, &none), PROXEL_INVALID_ARGUMENT, "string");
  bad.count = 0;
  CHECK(proxel_string_index_create(device, of(bad), nullptr, &none) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_string_index_create(nullptr, of(c_words), nullptr, &none), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_string_index_create(device, of(c_words), nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "index");
  CHECK(none == nullptr);
}
