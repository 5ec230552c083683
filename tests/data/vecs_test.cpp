#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

template <typename T>
std::string row(std::int32_t dimension, const std::vector<T>& values) {
  return bytes_of(dimension) + bytes_of_all(values);
}

}  // namespace

TEST_SUITE("vecs") {
TEST_CASE("floats, bytes and integers") {
  const TemporaryFolder folder;
  const std::string floats = folder.write("a.fvecs", row<float>(3, {1, 2.5f, -3}) + row<float>(3, {4, 5, 6}));
  check_matrix<float>(read_matrix(floats), 2, 3, {1, 2.5f, -3, 4, 5, 6});
  const std::string bytes = folder.write("a.bvecs", row<std::uint8_t>(2, {0, 255}));
  check_matrix<float>(read_matrix(bytes), 1, 2, {0, 255});
  const std::string integers = folder.write("a.ivecs", row<std::int32_t>(2, {7, -1}));
  check_matrix<float>(read_matrix(integers), 1, 2, {7, -1});
  check_matrix<std::int32_t>(read_integers(integers), 1, 2, {7, -1});

  const DataInfo info = inspect_data(floats);
  CHECK(info.format == "fvecs");
  CHECK(info.rows == 2);
  CHECK(info.columns == 3);
  CHECK(info.type == ElementType::float32);
  CHECK(info.file_bytes == 32);
  CHECK(info.path == floats);
  CHECK(inspect_data(bytes).type == ElementType::uint8);
  CHECK(inspect_data(integers).type == ElementType::int32);
}

TEST_CASE("more rows than a read buffer holds, and parts of them") {
  const TemporaryFolder folder;
  std::string file;
  for (std::int32_t r = 0; r < 3000; ++r) file += row<std::int32_t>(100, std::vector<std::int32_t>(100, r));
  const std::string path = folder.write("many.ivecs", file);
  const auto all = read_integers(path);
  REQUIRE(all.rows() == 3000);
  std::size_t wrong = 0;
  for (std::uint64_t r = 0; r < 3000; ++r)
    for (std::uint64_t c = 0; c < 100; ++c) wrong += all(r, c) != static_cast<std::int32_t>(r);
  CHECK(wrong == 0);
  const auto some = read_integers(path, {.first_row = 2998, .max_rows = 100});
  CHECK(some.rows() == 2);
  CHECK(some(1, 99) == 2999);
  CHECK(read_integers(path, {.first_row = 5000}).rows() == 0);
  CHECK(read_integers(path, {.first_row = 5000}).columns() == 100);
  CHECK(read_integers(path, {.first_row = UINT64_MAX, .max_rows = UINT64_MAX}).rows() == 0);
}

TEST_CASE("rows of different dimension are named") {
  const TemporaryFolder folder;
  const std::string first = row<float>(128, std::vector<float>(128, 1.0f));
  check_malformed(folder.write("longer.fvecs", first + row<float>(130, std::vector<float>(130, 1.0f))),
                  "at byte 516: dimension 130 differs from 128 of the first row");
  check_malformed(folder.write("negative.fvecs", first + row<float>(-1, {})),
                  "at byte 516: dimension -1 differs from 128 of the first row");
  // The sizes agree by chance, so only reading finds it.
  const std::string same = folder.write("same.fvecs", row<float>(1, {1}) + row<float>(2, {2, 3}) + bytes_of(1.0f));
  check_error([&] { read_matrix(same); }, ErrorCode::malformed_file, same,
              "at byte 8: dimension 2 differs from 1 of the first row");
}

TEST_CASE("files that are cut, empty or hostile") {
  const TemporaryFolder folder;
  check_malformed(folder.write("empty.fvecs", ""),
                  "at byte 0: the file is empty; a .fvecs file without a row has no dimension");
  check_malformed(folder.write("short.bvecs", "ab"), "at byte 2: the file ends, 4 bytes from byte 0 on were expected");
  check_malformed(folder.write("zero.fvecs", bytes_of<std::int32_t>(0)),
                  "at byte 0: dimension 0, at least 1 is needed");
  check_malformed(folder.write("negative.ivecs", bytes_of<std::int32_t>(-4)),
                  "at byte 0: dimension -4, at least 1 is needed");
  check_malformed(folder.write("huge.fvecs", bytes_of<std::int32_t>(INT32_MAX)),
                  "at byte 4: the file ends inside row 0: 4 of its 8589934592 bytes are there");
  check_malformed(folder.write("cut.fvecs", row<float>(2, {1, 2}) + row<float>(2, {1})),
                  "at byte 20: the file ends inside row 1: 8 of its 12 bytes are there");
  check_malformed(folder.write("tail.fvecs", row<float>(2, {1, 2}) + "abc"),
                  "at byte 15: the file ends inside row 1: 3 of its 12 bytes are there");
}
}  // namespace suite
