#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

std::string counts(std::uint32_t rows, std::uint32_t columns) { return bytes_of(rows) + bytes_of(columns); }

}  // namespace

TEST_SUITE("bin") {
TEST_CASE("floats, bytes and integers") {
  const TemporaryFolder folder;
  const std::string floats = folder.write("a.fbin", counts(2, 2) + bytes_of_all<float>({1, 2, 3, 4.5f}));
  check_matrix<float>(read_matrix(floats), 2, 2, {1, 2, 3, 4.5f});
  check_matrix<float>(read_matrix(floats, {.first_row = 1}), 1, 2, {3, 4.5f});
  const std::string bytes = folder.write("a.u8bin", counts(1, 3) + bytes_of_all<std::uint8_t>({0, 9, 255}));
  check_matrix<float>(read_matrix(bytes), 1, 3, {0, 9, 255});
  check_matrix<std::int32_t>(read_integers(bytes), 1, 3, {0, 9, 255});
  const std::string integers = folder.write("a.ibin", counts(2, 1) + bytes_of_all<std::int32_t>({-1, 7}));
  check_matrix<std::int32_t>(read_integers(integers), 2, 1, {-1, 7});
  CHECK(inspect_data(floats).format == "fbin");
  CHECK(inspect_data(bytes).type == ElementType::uint8);
  CHECK(inspect_data(integers).rows == 2);
  check_error([&] { read_integers(floats); }, ErrorCode::malformed_file, floats,
              "integers are needed, the file holds float32");
}

TEST_CASE("more values than a read buffer holds") {
  const TemporaryFolder folder;
  std::vector<std::int32_t> values(300000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
  const std::string path = folder.write("many.ibin", counts(1000, 300) + bytes_of_all(values));
  CHECK(values_of(read_integers(path)) == values);
}

TEST_CASE("files that are cut, too long, empty or hostile") {
  const TemporaryFolder folder;
  check_malformed(folder.write("empty.fbin", ""), "at byte 0: the file ends, 8 bytes from byte 0 on were expected");
  check_malformed(folder.write("cut.fbin", counts(2, 2) + bytes_of_all<float>({1, 2, 3})),
                  "at byte 20: the file ends, but its header promises 2 rows of 2 columns "
                  "(float32) from byte 8 on");
  check_malformed(folder.write("long.u8bin", counts(1, 1) + "abc"), "at byte 9: 2 bytes follow the last value");
  check_malformed(folder.write("huge.fbin", counts(UINT32_MAX, UINT32_MAX) + "abcd"),
                  "at byte 12: the file ends, but its header promises 4294967295 rows of "
                  "4294967295 columns (float32) from byte 8 on");
  check_malformed(folder.write("flat.fbin", counts(5, 0)), "at byte 4: its rows have no columns");
  check_matrix<float>(read_matrix(folder.write("none.fbin", counts(0, 5))), 0, 5, {});
}
}  // namespace suite
