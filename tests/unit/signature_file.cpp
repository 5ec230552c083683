// Files of feature signatures: their bytes, their round trip, that no damage goes unnoticed,
// and NMSLIB's text.
#include <algorithm>
#include <cmath>

#include <zlib.h>

#include "../data/support.hpp"
#include "../section_checksums.hpp"
#include "saved_files.hpp"
#include "signatures/signature_file_format.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

std::string saved(const SignatureFile& file) {
  return unit::bytes_written([&](const auto& sink) { signature_file::write(sink, "photos.sig", file); });
}

SignatureFile loaded(const std::string& bytes) { return unit::read_from("photos.sig", bytes, signature_file::read); }

// What is wrong with the bytes; nothing where they are read.
std::string complaint(const std::string& bytes) {
  return unit::complaint_about("photos.sig", bytes, signature_file::read);
}

// The same without the file's name before it.
std::string reason(const std::string& bytes) {
  const std::string all = complaint(bytes), start = "photos.sig: ";
  CHECK(all.starts_with(start));
  return all.substr(std::min(all.size(), start.size()));
}

void check_same(const SignatureFile& a, const SignatureFile& b) {
  CHECK(a.signatures == b.signatures);
  CHECK(a.names == b.names);
  CHECK(a.recipe == b.recipe);
}

SignatureFile small_file() {
  SignatureFile file;
  file.signatures = Signatures(2);
  file.signatures.add(std::vector<float>{1, -2, 0.5f, 1e15f}, std::vector<float>{0.25f, 0.75f});
  file.signatures.add(std::vector<float>{0, 3}, std::vector<float>{0});
  file.names = {"a.png", "\xFF"};
  file.recipe = "{}";
  return file;
}

SignatureFile random_file(std::uint32_t dimensions, std::uint32_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  SignatureFile file;
  file.signatures = Signatures(dimensions);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<float> weights(1 + below(20)), centroids(weights.size() * dimensions);
    for (float& weight : weights) weight = std::ldexp(static_cast<float>(below(1 << 20)), -int(below(40)));
    for (float& value : centroids)
      value = std::ldexp(static_cast<float>(int(below(1 << 20)) - (1 << 19)), -int(below(60)));
    file.signatures.add(centroids, weights);
    if (seed % 2 == 0) file.names.push_back(std::string(below(9), static_cast<char>(below(256))));
  }
  file.recipe = std::string(below(50), static_cast<char>(below(256)));
  return file;
}

enum Section : std::size_t { info, lens, cent, wght, name, rcpe };

std::string gzipped(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder.file("packed.gz");
  const gzFile file = gzopen(path.c_str(), "wb");
  CHECK(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
  gzclose(file);
  return read_bytes(path);
}

const std::string nmslib = "2 3 1000\n\nfirst of two.JPEG\n0.5 -1 2e-3 0.25\n1 2 3 0.75\n\nsecond\n0 0 0 1\n1 1 1 0\n";

}  // namespace

TEST_CASE("a file of signatures has the bytes that its documentation says, checksums from elsewhere") {
  // The checksums are Python's zlib.crc32 of the same bytes, made with its struct.
  const std::string expected =
      "\x89proxel\n" + bytes_of_all<std::uint32_t>({1, 3}) + section_entry_bytes("INFO", 0xCC34CF81, 20) +
      section_entry_bytes("LENS", 0x9FBBBF71, 8) + section_entry_bytes("CENT", 0xC0305010, 24) +
      section_entry_bytes("WGHT", 0x570AF115, 12) + section_entry_bytes("NAME", 0x294B6555, 14) +
      section_entry_bytes("RCPE", 0xA3A6BF43, 2) + bytes_of(0x339C117Cu) + bytes_of(2u) +
      bytes_of_all<std::uint64_t>({2, 3}) +                      // INFO
      bytes_of_all<std::uint32_t>({2, 1}) +                      // LENS
      bytes_of_all<float>({1, -2, 0.5f, 1e15f, 0, 3}) +          // CENT
      bytes_of_all<float>({0.25f, 0.75f, 0}) +                   // WGHT
      bytes_of_all<std::uint32_t>({5, 1}) + "a.png\xFF" + "{}";  // NAME, RCPE
  CHECK(saved(small_file()) == expected);
  check_same(loaded(expected), small_file());
}

TEST_CASE("signatures come back from their file, with names and without") {
  for (const std::uint32_t dimensions : {1u, 7u, 65u})
    for (const std::uint32_t count : {0u, 1u, 2u, 300u})
      for (const std::uint32_t seed : {1u, 2u}) {
        const SignatureFile file = random_file(dimensions, count, seed);
        const std::string bytes = saved(file);
        const SignatureFile again = loaded(bytes);
        check_same(again, file);
        CHECK(saved(again) == bytes);
      }
}

TEST_CASE("signatures go through the file system, whole or not at all") {
  const TemporaryFolder folder;
  SignatureFile file = random_file(7, 20'000, 4);
  write_signature_file(folder.file("photos.sig"), file);
  CHECK(read_bytes(folder.file("photos.sig")) == saved(file));
  check_same(read_signature_file(folder.file("photos.sig")), file);
  file.names.pop_back();
  check_error([&] { write_signature_file(folder.file("photos.sig"), file); }, ErrorCode::invalid_argument,
              folder.file("photos.sig"), "19999 names were given for 20000 signatures; as many or none are allowed");
  CHECK(folder.entries() == 1);
  CHECK(read_signature_file(folder.file("photos.sig")).names.size() == 20'000);
  check_error([&] { read_signature_file(folder.file("none.sig")); }, ErrorCode::not_found, folder.file("none.sig"),
              "no such file");
}

TEST_CASE("every changed byte of a file of signatures is noticed") {
  unit::check_every_changed_byte(saved(small_file()), complaint);
}

TEST_CASE("a file of signatures that is cut or continued is noticed") {
  const std::string whole = saved(small_file());
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK(complaint(whole.substr(0, size)) != "");
  CHECK(reason(whole + "x") == "at byte 196: the last section ends here, but the file does not");
  CHECK(reason(whole.substr(0, 195)) ==
        "at byte 195: the file ends within section RCPE (recipe), which has 2 bytes from byte 194 on");
}

TEST_CASE("a file of signatures with right checksums that means nothing is refused") {
  const std::string whole = saved(small_file());
  REQUIRE(with_checksums(whole) == whole);
  const auto refusal = [&](std::size_t section, std::size_t word, std::uint32_t value) {
    return reason(with_word(whole, section, word, value));
  };
  const std::uint32_t nan = 0x7FC00000, minus_one = 0xBF800000;
  CHECK(refusal(info, 0, 0) == "0 dimensions, 1 to 65536 are allowed");
  CHECK(refusal(info, 0, 65537) == "65537 dimensions, 1 to 65536 are allowed");
  CHECK(refusal(info, 0, 3) == "at byte 144: section CENT (centroids) has 24 bytes, 36 were expected");
  CHECK(refusal(info, 1, 3) == "at byte 136: section LENS (lengths) has 8 bytes, 12 were expected");
  CHECK(refusal(info, 2, 0xFFFFFFFF) ==
        "at byte 136: section LENS (lengths) has 8 bytes, 18446744073709551615 were expected");
  CHECK(refusal(info, 3, 2) == "at byte 168: section WGHT (weights) has 12 bytes, 8 were expected");
  CHECK(refusal(lens, 0, 3) == "signatures of 4 centroids together, 3 are said to be there");
  CHECK(reason(with_word(with_word(whole, lens, 0, 0), lens, 1, 3)) ==
        "centroids of a signature: 0 was given, 1 to 1048576 is allowed");
  CHECK(refusal(cent, 3, nan).starts_with("centroids: centroid 1 of signature 0 has the coordinate nan"));
  CHECK(refusal(wght, 2, minus_one).starts_with("weights: centroid 0 of signature 1 has the weight -1"));
  CHECK(refusal(name, 0, 6) == "at byte 180: section NAME (names) has 14 bytes, 15 were expected");
  std::string other = whole;
  put_little_endian(other, 12, 4, 1);
  CHECK(complaint(other) ==
        "photos.sig: a file of feature signatures of objects of kind 1; this program reads "
        "kind 3, feature signatures");
  put_little_endian(other, 12, 4, 3);
  put_little_endian(other, 8, 4, 2);
  CHECK(complaint(other) ==
        "photos.sig: a file of feature signatures in version 2 of the format; this program "
        "reads version 1");
}

TEST_CASE("the text of NMSLIB's SQFD space is read, plain, packed and with other line ends") {
  std::string other_ends = nmslib + "\n";
  for (std::size_t at = 0; (at = other_ends.find('\n', at)) != std::string::npos; at += 2)
    other_ends.replace(at, 1, "\r\n");
  for (const std::string& text : {nmslib, nmslib + "\n", other_ends, gzipped(nmslib)}) {
    const SignatureFile file = loaded(text);
    CHECK(file.names == std::vector<std::string>{"first of two.JPEG", "second"});
    CHECK(file.recipe.empty());
    REQUIRE(file.signatures.size() == 2);
    CHECK(file.signatures.dimensions() == 3);
    Signatures expected(3);
    expected.add(std::vector<float>{0.5f, -1, 2e-3f, 1, 2, 3}, std::vector<float>{0.25f, 0.75f});
    expected.add(std::vector<float>{0, 0, 0, 1, 1, 1}, std::vector<float>{1, 0});
    CHECK(file.signatures == expected);
  }
  CHECK(loaded("20 7 10000\n\n").signatures.size() == 0);
}

TEST_CASE("what is wrong with NMSLIB's text is said with its line") {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = nmslib;
    return reason(text.replace(text.find(from), from.size(), to));
  };
  const std::string not_this =
      "neither a file of feature signatures that proxel has saved nor the text of NMSLIB's "
      "SQFD space, whose first line is three numbers: centroids per signature, dimensions, points";
  CHECK(reason("") == "the file is empty");
  CHECK(reason("\x89PNG\r\n") == not_this);
  CHECK(changed("2 3 1000", "2 3") == not_this);
  CHECK(changed("2 3 1000", "2 3 1000 4") == not_this);
  CHECK(changed("2 3 1000", "2 3.5 1000") == not_this);
  CHECK(changed("2 3 1000", "0 3 1000") == "line 1: 0 centroids per signature, 1 to 1048576 are allowed");
  CHECK(changed("2 3 1000", "2 -3 1000") == "line 1: -3 dimensions, 1 to 65536 are allowed");
  CHECK(changed("1000\n\n", "1000\n") == "line 2: an empty line was expected after the first");
  CHECK(changed("0.75\n\n", "0.75\n") == "line 6: an empty line was expected after the signature");
  CHECK(changed("second\n", "\n") == "line 7: the name of a signature was expected, the line is empty");
  CHECK(changed("2e-3", "abc") == "line 4: column 3: \"abc\" is not a number of binary32");
  CHECK(changed("2e-3", "1e99") == "line 4: column 3: \"1e99\" is not a number of binary32");
  CHECK(changed("2e-3 ", "") == "line 4: 3 numbers, 3 coordinates and a weight were expected");
  CHECK(changed("2e-3", "0 0") == "line 4: more than 3 coordinates and a weight");
  CHECK(changed(" 0.25", " nan").starts_with("line 5: weights: centroid 0 of signature 0 has the weight nan"));
  CHECK(changed("1 1 1 0\n", "") == "the file ends after line 8, within a signature");
  std::string packed = gzipped(nmslib);
  packed.resize(packed.size() - 9);
  CHECK(reason(packed).find("the gzip data end early") != std::string::npos);
}
