#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

Rounding of_text(const std::string& text, const TableOptions& options = {}) {
  const TemporaryFolder folder;
  return read_table(folder.write("a.csv", text), options).rounding;
}

// Reads a .npy file of one row.
template <typename T>
Rounding of_npy(const std::string& type, const std::vector<T>& values, const TableOptions& options = {}) {
  std::string header =
      "{'descr': '<" + type + "', 'fortran_order': False, 'shape': (1, " + std::to_string(values.size()) + "), }";
  header.resize(117, ' ');
  header += '\n';
  const TemporaryFolder folder;
  return read_table(folder.write("a.npy", std::string("\x93NUMPY\x01\x00", 8) +
                                              bytes_of(static_cast<std::uint16_t>(header.size())) + header +
                                              bytes_of_all(values)),
                    options)
      .rounding;
}

}  // namespace

TEST_SUITE("rounding") {
TEST_CASE("what binary32 holds is not counted") {
  CHECK(of_npy<double>("f8", {0, -0.0, 0.5, 16777216, -3e38f, 0.1f, 1e-45f, INFINITY, NAN}).values == 0);
  CHECK(of_npy<float>("f4", {0.1f, 3e38f}).values == 0);
  CHECK(of_npy<std::int32_t>("i4", {0, -1, INT32_MIN, 16777216, 16777218, INT32_MAX - 127}).values == 0);
  CHECK(of_npy<std::uint32_t>("u4", {0, 0xFFFFFF00, 0x80000000}).values == 0);
  CHECK(of_npy<std::int64_t>("i8", {0, INT64_MIN, std::int64_t{1} << 62, -(std::int64_t{0xFFFFFF} << 30)}).values == 0);
  CHECK(of_npy<std::uint64_t>("u8", {0, std::uint64_t{1} << 63, std::uint64_t{0xFFFFFF} << 40}).values == 0);
  CHECK(of_npy<std::uint16_t>("u2", {65535}).values == 0);
}

TEST_CASE("what it does not hold is counted, with the first") {
  const Rounding times = of_npy<double>("f8", {1700000000, 1700000010, 1700000020});
  CHECK(times.values == 2);
  CHECK(times.row == 0);
  CHECK(times.column == 1);
  CHECK(times.stored == "1700000010");
  CHECK(times.read == 1700000000.0f);
  CHECK(of_npy<double>("f8", {0.1, 1e-300, 16777217}).values == 3);
  CHECK(of_npy<std::int32_t>("i4", {16777217, -16777217, INT32_MAX, 16777218}).values == 3);
  CHECK(of_npy<std::uint32_t>("u4", {0xFFFFFFFF, 16777217}).values == 2);
  CHECK(of_npy<std::int64_t>("i8", {INT64_MAX, INT64_MIN + 1, 1700000010}).values == 3);
  CHECK(of_npy<std::uint64_t>("u8", {UINT64_MAX, 16777217}).values == 2);
  // Every integer around the last that all its neighbours share.
  for (std::int64_t value = (1 << 24) - 20; value <= (1 << 24) + 20; ++value) {
    CAPTURE(value);
    const bool rounded = static_cast<std::int64_t>(static_cast<float>(value)) != value;
    CHECK(of_npy<std::int64_t>("i8", {value, -value}).values == (rounded ? 2 : 0));
    CHECK(of_text(std::string("0\n").append(std::to_string(value)).append("\n")).values == (rounded ? 1 : 0));
  }
}

TEST_CASE("columns that are not read do not count") {
  CHECK(of_npy<double>("f8", {1700000010, 2, 0.1}, {.columns = "2"}).values == 0);
  const Rounding last = of_npy<double>("f8", {1700000010, 2, 0.1}, {.columns = "2-3"});
  CHECK(last.values == 1);
  CHECK(last.column == 2);
  CHECK(of_npy<double>("f8", {1, 0.1}, {.labels = "last"}).values == 0);
  CHECK(of_text("id,x\n1700000010,1\n", {.ids = "id"}).values == 0);
}

TEST_CASE("texts: a number that its float gives back in as many digits is not rounded") {
  for (const char* number : {"0.1", "3.14159", "0.100000001", "1e-3", "16777216", "5.000000000000000000e-01",
                             "1700000000", "-0.3", "0", "0.0000000", "nan", "inf", "1e-45", "+0.25", "0e99999"}) {
    CAPTURE(number);
    CHECK(of_text(std::string("0\n") + number + "\n").values == 0);
  }
  for (const char* number : {"16777217", "1700000010", "0.30000000000000004", "1e-46", "1e-400", "0.1000000001",
                             "-16777217", "3.14159265358979", "123456789", "1.7000000010e9", "123456789e-9"}) {
    CAPTURE(number);
    const Rounding rounding = of_text(std::string("0\n0\n") + number + "\n");
    CHECK(rounding.values == 1);
    CHECK(rounding.row == 2);
    CHECK(rounding.column == 0);
    CHECK(rounding.stored == number);
  }
  CHECK(of_text("0;0\n1;0,30000000000000004\n", {.text = {.decimal = ','}}).column == 1);
}
}  // namespace suite
