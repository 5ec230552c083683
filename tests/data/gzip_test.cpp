#include <zlib.h>

#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

TEST_SUITE("gzip") {
TEST_CASE("compressed text is read as text is") {
  const TemporaryFolder folder;
  for (const char* name : {"a.csv.gz", "a.tsv.gz", "a.txt.gz", "A.CSV.GZ"}) {
    const std::string path = folder.write(name, gzip("x y\n1 2\n3 4"));
    check_matrix<float>(read_matrix(path), 2, 2, {1, 2, 3, 4});
    CHECK(inspect_data(path).format == "csv.gz");
  }
}

TEST_CASE("members follow each other, even within a line") {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.csv.gz", gzip("1,2\n3") + gzip("") + gzip(",4\n"));
  check_matrix<float>(read_matrix(path), 2, 2, {1, 2, 3, 4});
}

TEST_CASE("more than a buffer of text") {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + "\n";
  const TemporaryFolder folder;
  const auto matrix = read_matrix(folder.write("m.csv.gz", gzip(text)));
  REQUIRE(matrix.rows() == 200000);
  CHECK(matrix(199999, 0) == 199999.0f);
}

TEST_CASE("damaged streams") {
  const TemporaryFolder folder;
  const std::string whole = gzip("1,2\n3,4\n");
  check_malformed(folder.write("empty.csv.gz", ""), "at byte 0: the gzip data end early");
  check_malformed(folder.write("text.csv.gz", "1,2\n3,4\n"), "at byte 2: damaged gzip data (incorrect header check)");
  check_malformed(folder.write("tail.csv.gz", whole + "xyz"),
                  "at byte " + std::to_string(whole.size() + 2) + ": damaged gzip data (incorrect header check)");
  for (std::size_t size = 1; size < whole.size(); ++size)
    check_malformed(folder.write("cut.csv.gz", whole.substr(0, size)),
                    "at byte " + std::to_string(size) + ": the gzip data end early");
  std::string checksum = whole;
  checksum[whole.size() - 8] ^= 1;
  CHECK_THROWS_WITH_AS(read_matrix(folder.write("sum.csv.gz", checksum)),
                       doctest::Contains("damaged gzip data (incorrect data check)"), Error);
}

TEST_CASE("a bomb is stopped by the memory limit") {
  std::string text;
  for (int i = 0; i < 1000000; ++i) text += "0\n";
  const TemporaryFolder folder;
  const std::string path = folder.write("bomb.csv.gz", gzip(text));
  CHECK(std::filesystem::file_size(path) < 10000);
  check_error([&] { read_matrix(path, {.memory_limit = 1000000}); }, ErrorCode::out_of_memory, path,
              "1000000 rows of 1 columns need 4000000 bytes of memory, 1000000 are allowed");
}
}  // namespace suite
