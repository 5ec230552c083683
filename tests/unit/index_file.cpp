// The file in which an index of vectors is saved: its bytes, its round trip, and that no damage goes unnoticed.
#include <algorithm>
#include <random>

#include "../data/support.hpp"
#include "../section_checksums.hpp"
#include "index/index_file.hpp"
#include "saved_files.hpp"

using namespace proxel;
using namespace proxel::testing;
using index::IndexFile;

namespace {

const std::string name = "rows.index";

// A file with its rows.
struct Whole {
  IndexFile file;
  std::string rows;

  bool operator==(const Whole& other) const {
    return file.storage == other.file.storage && file.rows == other.file.rows &&
           file.dimensions == other.file.dimensions && file.method == other.file.method &&
           file.row_selection == other.file.row_selection && file.live == other.file.live && rows == other.rows;
  }
};

std::string saved(const Whole& whole) {
  return unit::bytes_written([&](const auto& sink) {
    index::write_index_file(sink, name, whole.file, [&](data::BlockWriter& to) {
      // The rows are written in parts that are no blocks.
      for (std::size_t first = 0; first < whole.rows.size(); first += 700'001)
        to.bytes(std::as_bytes(std::span(whole.rows))
                     .subspan(first, std::min<std::size_t>(700'001, whole.rows.size() - first)));
    });
  });
}

Whole read(const data::ByteSource& source) {
  index::SavedIndex saved = index::read_index_file(source);
  const std::uint64_t bytes = saved.file.rows * saved.file.row_bytes();
  const auto rows = source.in_memory().subspan(saved.first_byte);
  saved.checksums.require(rows, 0, bytes);
  CHECK(saved.first_byte % 4 == 0);
  return {saved.file, std::string(reinterpret_cast<const char*>(rows.data()), bytes)};
}

Whole loaded(const std::string& bytes) { return unit::read_from(name, bytes, read); }
std::string complaint(const std::string& bytes) { return unit::complaint_about(name, bytes, read); }

// Three rows of two dimensions, of which the second has been removed.
Whole small() {
  Whole whole;
  whole.file.storage = ElementType::uint8;
  whole.file.rows = 3;
  whole.file.dimensions = 2;
  whole.file.method = Method::scan;
  whole.file.live = {0b101};
  whole.rows = "\x01\x02\x03\x04\xFA\x06";
  return whole;
}

Whole random_rows(ElementType type, std::uint32_t rows, std::uint32_t dimensions) {
  std::mt19937 generator(rows + dimensions);
  Whole whole;
  whole.file.storage = type;
  whole.file.rows = rows;
  whole.file.dimensions = dimensions;
  whole.rows.resize(rows * whole.file.row_bytes());
  for (char& byte : whole.rows) byte = static_cast<char>(generator());
  return whole;
}

enum Section : std::size_t { info, live, rows, sums };

}  // namespace

TEST_CASE("a saved index of vectors has the bytes that its documentation says, checksums from elsewhere") {
  const auto section = section_entry_bytes;
  // The checksums are Python's zlib.crc32 of the same bytes, made with its struct.
  const std::string expected = "\x89proxel\n" + bytes_of_all<std::uint32_t>({1, 4}) + section("INFO", 0x27AAFB57u, 20) +
                               section("LIVE", 0x169A2F2Eu, 4) + section("ROWS", 0, 6) +
                               section("SUMS", 0x6337C7E1u, 4) + bytes_of(0xC663B5BCu) +
                               bytes_of_all<std::uint32_t>({3, 3, 2, 2, 0}) +  // INFO
                               bytes_of(0b101u) +                              // LIVE
                               "\x01\x02\x03\x04\xFA\x06" +                    // ROWS
                               bytes_of(0x12D28A56u);                          // SUMS
  CHECK(saved(small()) == expected);
  CHECK(loaded(expected) == small());
  CHECK(with_checksums(expected) == expected);
}

TEST_CASE("a saved index of vectors comes back, of any type, shape and settings") {
  for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::int8, ElementType::uint8})
    for (const std::uint32_t count : {1u, 2u, 31u, 32u, 33u, 1000u})
      for (const std::uint32_t dimensions : {1u, 3u, 129u}) {
        CAPTURE(to_string(type));
        CAPTURE(count);
        CAPTURE(dimensions);
        Whole whole = random_rows(type, count, dimensions);
        whole.file.method = static_cast<Method>(count % 8);
        whole.file.row_selection = static_cast<SelectionMethod>(count % 7);
        CHECK(loaded(saved(whole)) == whole);
        whole.file.live.assign((count + 31) / 32, 0);  // all removed
        CHECK(loaded(saved(whole)) == whole);
        CHECK(saved(loaded(saved(whole))) == saved(whole));
      }
}

TEST_CASE("rows are under checksums of their blocks, which are looked at once and where they are needed") {
  const Whole whole = random_rows(ElementType::uint8, 3'500, 1000);  // three blocks and a part
  const std::string bytes = saved(whole);
  CHECK(loaded(bytes) == whole);
  CHECK(with_checksums(bytes) == bytes);
  const std::size_t start = section_start(bytes, rows);
  for (std::size_t damaged_block = 0; damaged_block < 4; ++damaged_block) {
    CAPTURE(damaged_block);
    const std::uint64_t end = std::min<std::uint64_t>(whole.rows.size(), (damaged_block + 1) << 20);
    for (const std::uint64_t at : {std::uint64_t{damaged_block} << 20, end - 1}) {
      std::string damaged = bytes;
      damaged[start + at] ^= 4;
      const data::MemorySource source(name, std::as_bytes(std::span(damaged)));
      index::SavedIndex read = index::read_index_file(source);
      const auto section = source.in_memory().subspan(read.first_byte);
      // Everything before and behind is believed.
      if (damaged_block > 0) read.checksums.require(section, 0, damaged_block << 20);
      if (end < whole.rows.size()) read.checksums.require(section, end, whole.rows.size() - end);
      const std::string reason = name + ": section ROWS (rows) is damaged between bytes " +
                                 std::to_string(start + (damaged_block << 20)) + " and " +
                                 std::to_string(start + end - 1) + ": checksum ";
      CHECK_THROWS_WITH_AS(read.checksums.require(section, at, 1), doctest::Contains(reason.c_str()), Error);
      CHECK_THROWS_WITH_AS(read.checksums.require(section, 0, whole.rows.size()), doctest::Contains(reason.c_str()),
                           Error);
      read.checksums.require(section, at, 0);
    }
  }
}

TEST_CASE("every changed byte of a saved index of vectors is noticed") {
  unit::check_every_changed_byte(saved(small()), complaint);
}

TEST_CASE("a saved index of vectors that is cut or continued is noticed") {
  for (const Whole& whole : {small(), random_rows(ElementType::float32, 40, 3)}) {
    const std::string bytes = saved(whole);
    for (std::size_t size = 0; size < bytes.size(); ++size) CHECK(complaint(bytes.substr(0, size)) != "");
    for (const std::string& more : {std::string(1, '\0'), std::string("x"), bytes})
      CHECK(complaint(bytes + more).ends_with("the last section ends here, but the file does not"));
  }
  // At every section's edge, and with every checksum right.
  const std::string bytes = saved(small());
  for (const Section section : {info, live, rows, sums}) {
    const std::string cut = complaint(with_checksums(bytes.substr(0, section_start(bytes, section))));
    CHECK(cut.find("the file ends within section " + bytes.substr(section_entry(section), 4)) != std::string::npos);
  }
  CHECK(complaint("") == "rows.index: at byte 0: the file ends, 16 bytes from byte 0 on were expected");
}

TEST_CASE("an index of vectors in another version, and of other objects, is refused by name") {
  const std::string bytes = saved(small());
  const auto refusal = [&](std::size_t offset, std::uint32_t value) {
    std::string other = bytes;
    put_little_endian(other, offset, 4, value);
    CHECK(complaint(other.substr(0, 16)) == complaint(other));
    return complaint(other);
  };
  CHECK(refusal(8, 2) == "rows.index: an index in version 2 of the format; this program reads version 1");
  CHECK(refusal(12, 1) == "rows.index: an index of objects of kind 1; this program reads kind 4, rows of vectors");
  std::string other = bytes;
  CHECK(index::begins_as_index_file(data::MemorySource(name, std::as_bytes(std::span(other)))));
  put_little_endian(other, 12, 4, 1);
  CHECK(!index::begins_as_index_file(data::MemorySource(name, std::as_bytes(std::span(other)))));
  CHECK(!index::begins_as_index_file(data::MemorySource(name, std::as_bytes(std::span(bytes)).first(15))));
}

TEST_CASE("a saved index of vectors with right checksums that means nothing is refused") {
  const std::string whole = saved(small());
  REQUIRE(with_checksums(whole) == whole);
  const auto refusal = [&](std::size_t section, std::size_t word, std::uint32_t value) {
    const std::string text = complaint(with_word(whole, section, word, value));
    return text.substr(std::min(text.size(), name.size() + 2));
  };
  CHECK(refusal(info, 0, 4) == "rows of an unknown type, 4");
  CHECK(refusal(info, 0, 0) == "at byte 108: section ROWS (rows) has 6 bytes, 24 were expected");
  CHECK(refusal(info, 0, 2) == "");  // signed bytes are as good
  CHECK(refusal(info, 1, 0).starts_with("at byte 104: section LIVE (rows that have not been removed) has 4 bytes"));
  CHECK(refusal(info, 1, 2) == "rows past the last are said to be there");
  CHECK(refusal(info, 1, 4) == "at byte 108: section ROWS (rows) has 6 bytes, 8 were expected");
  CHECK(refusal(info, 1, 0xFFFFFFFF).find("has 4 bytes, 536870912 were expected") != std::string::npos);
  CHECK(refusal(info, 2, 0) == "3 rows of 0 dimensions; 1 … 4294967294 rows of at least one are allowed");
  CHECK(refusal(info, 2, 0xFFFFFFFF) == "at byte 108: section ROWS (rows) has 6 bytes, 12884901885 were expected");
  CHECK(refusal(info, 3, 8) == "an unknown method");
  CHECK(refusal(info, 3, 0xFFFFFFFF) == "an unknown method");
  CHECK(refusal(info, 4, 7) == "an unknown method of selection");
  CHECK(refusal(live, 0, 0b1101) == "rows past the last are said to be there");
  CHECK(refusal(live, 0, 0b111) == "words say which rows have been removed, and none has");
  CHECK(refusal(live, 0, 0) == "");  // all have
  // A checksum of its own for what is in blocks.
  std::string own = whole;
  put_little_endian(own, section_entry(rows) + 4, 4, 7);
  put_little_endian(own, header_bytes(own) - 4, 4,
                    crc32_z(0, reinterpret_cast<const Bytef*>(own.data()), header_bytes(own) - 4));
  CHECK(complaint(own).find("has a checksum of its own") != std::string::npos);
  // More or fewer checksums than blocks.
  std::string more = whole + std::string(4, '\0');
  put_little_endian(more, section_entry(sums) + 8, 8, 8);
  CHECK(complaint(with_checksums(more)).find("section SUMS (checksums of rows) has 8 bytes, 4 were expected") !=
        std::string::npos);
  // A section that says it is larger than any file.
  std::string huge = whole;
  put_little_endian(huge, section_entry(rows) + 8, 8, UINT64_MAX);
  CHECK(complaint(with_checksums(huge)).find("the file ends within section ROWS") != std::string::npos);
}

TEST_CASE("what is no index of vectors is not written") {
  const auto refusal = [](const auto& change) {
    Whole whole = small();
    change(whole.file);
    std::string reason;
    try {
      saved(whole);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::invalid_argument);
      reason = error.what();
    }
    return reason.substr(std::min(reason.size(), name.size() + 2));
  };
  CHECK(refusal([](IndexFile& file) { file.storage = ElementType::float64; }) == "rows of another type");
  CHECK(refusal([](IndexFile& file) { file.rows = 0; }).starts_with("0 rows of 2 dimensions"));
  CHECK(refusal([](IndexFile& file) { file.live.push_back(0); }) == "2 words say which of 3 rows have been removed");
  CHECK(refusal([](IndexFile& file) { file.live = {7}; }) == "words say which rows have been removed, and none has");
}
