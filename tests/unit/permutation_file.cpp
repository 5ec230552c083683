// The file in which a permutation index is saved: its bytes, its round trip, and that
// no damage goes unnoticed.
#include <algorithm>
#include <numeric>

#include "../data/support.hpp"
#include "../section_checksums.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/permutation_distance.h"
#include "saved_files.hpp"
#include "strings/permutation_file.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;
using strings::PermutationFile;
using strings::read_permutation_file;
using strings::write_permutation_file;

namespace {

constexpr std::uint32_t seed = 4051;

std::string saved(const PermutationFile& file) {
  return unit::bytes_written([&](const auto& sink) { write_permutation_file(sink, "words.index", file); });
}

PermutationFile read(const data::ByteSource& source) { return read_permutation_file(source); }

PermutationFile loaded(const std::string& bytes) { return unit::read_from("words.index", bytes, read); }

// What is wrong with the bytes; nothing where they are read.
std::string complaint(const std::string& bytes) { return unit::complaint_about("words.index", bytes, read); }

std::vector<std::string> texts(const Strings& strings) {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < strings.size(); ++i) all.push_back(strings.text(i));
  return all;
}

void check_same(const PermutationFile& a, const PermutationFile& b) {
  CHECK(a.units == b.units);
  CHECK(a.distance == b.distance);
  CHECK(a.string_distance == b.string_distance);
  CHECK(a.kept == b.kept);
  CHECK(a.objects.units() == b.objects.units());
  CHECK(texts(a.objects) == texts(b.objects));
  CHECK(a.identifiers == b.identifiers);
  CHECK(a.next_identifier == b.next_identifier);
  CHECK(a.permutants.units() == b.permutants.units());
  CHECK(texts(a.permutants) == texts(b.permutants));
  CHECK(a.permutant_identifiers == b.permutant_identifiers);
  CHECK(a.positions == b.positions);
}

// "ab" is object 3, "ü" 5; the permutants were objects 3 and 1, of which 1, "", has gone.
PermutationFile small_index() {
  PermutationFile file;
  file.distance = passes::PermutationDistance::spearman_rho;
  file.kept = 1;
  for (const char* text : {"ab", "ü"}) file.objects.add(text);
  file.identifiers = {3, 5};
  file.next_identifier = 7;
  for (const char* text : {"ab", ""}) file.permutants.add(text);
  file.permutant_identifiers = {3, 1};
  file.positions.assign(32, 0);
  file.positions[0] = 0x0100;  // nearest to "ab"
  file.positions[1] = 0x0001;  // nearest to ""
  return file;
}

// Any strings, and positions as the pass `permutations` makes them of random distances.
PermutationFile random_index(StringUnits units, std::uint32_t objects, std::uint32_t permutants) {
  std::mt19937 random(seed + 1000 * objects + permutants);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  const std::string pieces[] = {"a", "zz", "ß", "日本", "\U0001D11E", std::string(1, '\0'), "\xFF\xFE"};
  const auto text = [&] {
    std::string made;
    for (std::uint32_t i = below(5); i > 0; --i) made += pieces[below(units == StringUnits::bytes ? 7 : 6)];
    return made;
  };
  PermutationFile file;
  file.units = units;
  file.string_distance = static_cast<StringDistance>(below(2));
  file.distance = static_cast<passes::PermutationDistance>(below(3));
  file.kept = 1 + below(permutants);
  file.objects = Strings(units);
  file.permutants = Strings(units);
  for (std::uint32_t i = 0; i < objects; ++i) {
    file.objects.add(text());
    file.next_identifier += below(3);  // some were removed
    file.identifiers.push_back(file.next_identifier++);
  }
  file.next_identifier += 1 + below(3);
  for (std::uint32_t i = 0; i < permutants; ++i) {
    file.permutants.add(text());
    file.permutant_identifiers.push_back(below(file.next_identifier));
  }
  std::vector<float> distances(std::size_t{objects} * permutants + 1);
  for (float& distance : distances) distance = static_cast<float>(below(20));
  file.positions.assign((objects + 31) / 32 * 32 * ((permutants + 3) / 4), 0);
  reference::run(passes::make_permutations({.distances = unit::address_of(distances.data()),
                                            .positions = unit::address_of(file.positions.data()),
                                            .objects = objects,
                                            .permutants = permutants,
                                            .object_stride = permutants,
                                            .permutant_stride = 1,
                                            .kept = file.kept}));
  return file;
}

enum Section : std::size_t { info, objs, obid, pmts, pmid, posn };

}  // namespace

TEST_CASE("a saved index has the bytes that its documentation says, checksums from elsewhere") {
  const auto section = section_entry_bytes;
  // The checksums are Python's zlib.crc32 of the same bytes, made with its struct.
  const std::string expected = "\x89proxel\n" + bytes_of_all<std::uint32_t>({1, 1}) + section("INFO", 0xF47A468E, 24) +
                               section("OBJS", 0x3F02AB8F, 12) + section("OBID", 0xDC7328B8, 8) +
                               section("PMTS", 0x3825E2D9, 10) + section("PMID", 0x5311BFEF, 8) +
                               section("POSN", 0x4A46D665, 128) + bytes_of(0xB1B92D89u) +
                               bytes_of_all<std::uint32_t>({0, 1, 1, 7, 2, 2}) +                        // INFO
                               bytes_of_all<std::uint32_t>({2, 2}) + "ab\xC3\xBC" +                     // OBJS
                               bytes_of_all<std::uint32_t>({3, 5}) +                                    // OBID
                               bytes_of_all<std::uint32_t>({2, 0}) + "ab" +                             // PMTS
                               bytes_of_all<std::uint32_t>({3, 1}) +                                    // PMID
                               bytes_of_all<std::uint32_t>({0x0100, 0x0001}) + std::string(120, '\0');  // POSN
  CHECK(saved(small_index()) == expected);
  check_same(loaded(expected), small_index());
}

TEST_CASE("a saved index comes back, of any units, objects and permutants") {
  CAPTURE(seed);
  for (const StringUnits units : {StringUnits::code_points, StringUnits::bytes})
    for (const std::uint32_t objects : {0u, 1u, 31u, 32u, 33u, 200u})
      for (const std::uint32_t permutants : {1u, 3u, 4u, 5u, 64u, 255u, 256u}) {
        CAPTURE(objects);
        CAPTURE(permutants);
        const PermutationFile file = random_index(units, objects, permutants);
        const std::string bytes = saved(file);
        const PermutationFile again = loaded(bytes);
        check_same(again, file);
        CHECK(saved(again) == bytes);
      }
}

TEST_CASE("an index larger than the blocks it is written in, through the file system") {
  const TemporaryFolder folder;
  PermutationFile file;
  file.units = StringUnits::bytes;
  file.objects = Strings(StringUnits::bytes);
  file.permutants = Strings(StringUnits::bytes);
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    file.objects.add(i == 7 ? std::string(1 << 19, '\xE9') : std::to_string(i * 7919));
    file.identifiers.push_back(i);
  }
  file.next_identifier = 100'000;
  for (std::uint32_t i = 0; i < 4; ++i) {
    file.permutants.add(file.objects.text(i));
    file.permutant_identifiers.push_back(i);
  }
  file.kept = 4;
  file.positions.assign(100'000, 0x03020100);
  write_permutation_file(folder.file("words.index"), file);
  CHECK(read_bytes(folder.file("words.index")) == saved(file));
  check_same(read_permutation_file(folder.file("words.index")), file);
  CHECK(folder.entries() == 1);
}

TEST_CASE("every changed byte of a saved index is noticed") {
  unit::check_every_changed_byte(saved(small_index()), complaint);
}

TEST_CASE("a saved index that is cut, continued or put together otherwise is noticed") {
  const std::string whole = saved(small_index());
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK(complaint(whole.substr(0, size)) != "");
  for (const std::string& more : {std::string(1, '\0'), std::string("x"), whole})
    CHECK(complaint(whole + more) == "words.index: at byte 306: the last section ends here, but the file does not");
  // The two sections of eight bytes in each other's place, with their entries and without.
  std::string exchanged = whole;
  const auto exchange = [&](std::size_t a, std::size_t b, std::size_t count) {
    std::swap_ranges(exchanged.begin() + a, exchanged.begin() + a + count, exchanged.begin() + b);
  };
  exchange(section_start(whole, obid), section_start(whole, pmid), 8);
  CHECK(complaint(exchanged) ==
        "words.index: section OBID (identifiers of objects) is damaged: "
        "checksum 5311bfef, dc7328b8 was expected");
  exchange(section_entry(obid), section_entry(pmid), 16);
  CHECK(complaint(exchanged).starts_with("words.index: the header is damaged: checksum "));
  CHECK(complaint(with_checksums(exchanged)) ==
        "words.index: at byte 48: section OBID (identifiers of objects) was expected");
}

TEST_CASE("what is damaged in a saved index is said") {
  const std::string whole = saved(small_index());
  const auto with_byte = [&](std::size_t offset) {
    std::string damaged = whole;
    damaged[offset] ^= 1;
    return complaint(damaged);
  };
  CHECK(with_byte(0) == "words.index: at byte 0: not an index that proxel has saved");
  CHECK(with_byte(24).starts_with("words.index: the header is damaged: checksum "));
  CHECK(with_byte(24).ends_with(", b1b92d89 was expected"));
  const char* const names[] = {"INFO (settings)",
                               "OBJS (objects)",
                               "OBID (identifiers of objects)",
                               "PMTS (permutants)",
                               "PMID (identifiers of permutants)",
                               "POSN (positions)"};
  for (std::size_t section = 0; section < saved_sections; ++section)
    CHECK(with_byte(section_start(whole, section))
              .starts_with(std::string("words.index: section ") + names[section] + " is damaged: checksum "));
  CHECK(complaint("") == "words.index: at byte 0: the file ends, 16 bytes from byte 0 on were expected");
  CHECK(complaint(whole.substr(0, 305)) ==
        "words.index: at byte 305: the file ends within section POSN "
        "(positions), which has 128 bytes from byte 178 on");
}

TEST_CASE("an index in another version or of other objects is refused by name") {
  const std::string whole = saved(small_index());
  const auto refusal = [&](std::size_t offset, std::uint32_t value) {
    std::string other = whole;
    put_little_endian(other, offset, 4, value);
    // Nothing is known of what follows, so nothing is asked of it.
    CHECK(complaint(other.substr(0, 16)) == complaint(other));
    CHECK(complaint(with_checksums(other)) == complaint(other));
    CHECK_THROWS_AS(loaded(other), Error);
    try {
      loaded(other);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::unsupported);
    }
    return complaint(other);
  };
  CHECK(refusal(8, 2) == "words.index: an index in version 2 of the format; this program reads version 1");
  CHECK(refusal(12, 9) == "words.index: an index of objects of kind 9; this program reads kinds 1 and 2, strings");
}

TEST_CASE("a saved index with right checksums that means nothing is refused") {
  const std::string whole = saved(small_index());
  REQUIRE(with_checksums(whole) == whole);
  const auto refusal = [&](std::size_t section, std::size_t word, std::uint32_t value) {
    const std::string text = complaint(with_word(whole, section, word, value));
    return text.substr(std::min(text.size(), std::string("words.index: ").size()));
  };
  CHECK(refusal(info, 0, 2) == "strings of unknown units, 2");
  CHECK(refusal(info, 1, 3) == "an unknown permutation distance, 3");
  CHECK(refusal(info, 2, 0) == "the nearest 0 of 2 permutants cannot count");
  CHECK(refusal(info, 2, 3) == "the nearest 3 of 2 permutants cannot count");
  CHECK(refusal(info, 3, 5) == "identifier 5 is used, and 5 is to be the next");
  CHECK(refusal(info, 4, 4) == "at byte 140: section OBJS (objects) has 12 bytes, 16 were expected");
  CHECK(refusal(info, 4, 0xFFFFFFFF) == "at byte 140: section OBJS (objects) has 12 bytes, 17179869180 were expected");
  CHECK(refusal(info, 5, 0) == "0 permutants, 1 … 256 are allowed");
  CHECK(refusal(info, 5, 257) == "257 permutants, 1 … 256 are allowed");
  CHECK(refusal(info, 5, 0xFFFFFFFF) == "4294967295 permutants, 1 … 256 are allowed");
  CHECK(refusal(info, 5, 1) == "at byte 160: section PMTS (permutants) has 10 bytes, 6 were expected");
  CHECK(refusal(objs, 0, 3) == "at byte 140: section OBJS (objects) has 12 bytes, 13 were expected");
  CHECK(refusal(objs, 1, 0xFFFFFFFF) == "at byte 140: section OBJS (objects) has 12 bytes, 4294967305 were expected");
  CHECK(refusal(objs, 2, 0xFFFFFFFF) ==
        "section OBJS (objects): string: byte 0 of string 0 is not UTF-8 "
        "(strings of any bytes can be compared as bytes)");
  CHECK(refusal(obid, 1, 3) == "object 1 has identifier 3, not above that of the one before");
  CHECK(refusal(obid, 1, 0xFFFFFFFF) == "identifier 4294967295 is used, and 7 is to be the next");
  CHECK(refusal(pmid, 0, 7) == "a permutant was object 7, and 7 is to be the next");
  CHECK(refusal(posn, 0, 0x0101) == "object 0 keeps 0 permutants, 1 are said to be kept");
  CHECK(refusal(posn, 1, 0x0201) == "the positions of object 1 are not a permutation of 0 … 1, of which 1 are kept");
  CHECK(refusal(posn, 1, 0x010001) == "positions past the last of object 1 are not 0");
  CHECK(refusal(posn, 31, 0x01) == "positions past the last of object 31 are not 0");
  // As bytes the same text is two symbols, not one, but as good.
  CHECK(refusal(info, 0, 1) == "");
  // A section that says it is larger than any file.
  std::string huge = whole;
  put_little_endian(huge, section_entry(posn) + 8, 8, UINT64_MAX);
  CHECK(complaint(with_checksums(huge)) ==
        "words.index: at byte 306: the file ends within section POSN (positions), which has "
        "18446744073709551615 bytes from byte 178 on");
}

TEST_CASE("what is no permutation index is not saved") {
  const auto refusal = [](const auto& change) {
    PermutationFile file = small_index();
    change(file);
    std::string reason;
    try {
      saved(file);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::invalid_argument);
      reason = error.what();
    }
    return reason;
  };
  CHECK(refusal([](PermutationFile& file) { file.kept = 3; }) ==
        "words.index: the nearest 3 of 2 permutants cannot count");
  CHECK(refusal([](PermutationFile& file) { file.units = StringUnits::bytes; }) ==
        "words.index: objects or permutants are of other units than is said");
  CHECK(refusal([](PermutationFile& file) { file.identifiers.pop_back(); }) ==
        "words.index: 2 objects have 1 identifiers");
  CHECK(refusal([](PermutationFile& file) { file.permutant_identifiers.push_back(0); }) ==
        "words.index: 2 permutants have 3 identifiers");
  CHECK(refusal([](PermutationFile& file) { file.permutants = Strings(); }) ==
        "words.index: 0 permutants, 1 … 256 are allowed");
  CHECK(refusal([](PermutationFile& file) { file.positions.pop_back(); }) ==
        "words.index: the positions take 32 words, 31 were given");
  CHECK(refusal([](PermutationFile& file) { file.positions[2] = 0x0100; }) ==
        "words.index: positions past the last of object 2 are not 0");
  CHECK(refusal([](PermutationFile& file) { std::swap(file.identifiers[0], file.identifiers[1]); }) ==
        "words.index: object 1 has identifier 3, not above that of the one before");
}

TEST_CASE("files and folders that are not there, and an index that stays when another is not saved") {
  const TemporaryFolder folder;
  check_error([&] { read_permutation_file(folder.file("no.index")); }, ErrorCode::not_found, folder.file("no.index"),
              "no such file");
  check_error([&] { read_permutation_file(folder.file("")); }, ErrorCode::input_output, folder.file(""),
              "is a directory, not a file");
  check_error([&] { write_permutation_file(folder.file("no/words.index"), small_index()); }, ErrorCode::input_output,
              folder.file("no/words.index"), "cannot be created: No such file or directory");
  const std::string path = folder.file("words.index");
  write_permutation_file(path, small_index());
  PermutationFile wrong = small_index();
  wrong.next_identifier = 0;
  CHECK_THROWS_AS(write_permutation_file(path, wrong), Error);
  check_same(read_permutation_file(path), small_index());
  CHECK(folder.entries() == 1);
}
