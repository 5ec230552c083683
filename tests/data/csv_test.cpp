#include <cmath>
#include <limits>

#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

void check_read(const std::string& name, const std::string& text, std::uint64_t rows, std::uint64_t columns,
                const std::vector<float>& values) {
  CAPTURE(text);
  const TemporaryFolder folder;
  const std::string path = folder.write(name, text);
  check_matrix(read_matrix(path), rows, columns, values);
  const DataInfo info = inspect_data(path);
  CHECK(info.rows == rows);
  CHECK(info.columns == columns);
  CHECK(info.format == "csv");
  CHECK(info.type == ElementType::text);
}

void check_refused(const std::string& text, const std::string& message) {
  CAPTURE(text);
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", text);
  check_error([&] { read_matrix(path); }, ErrorCode::malformed_file, path, message);
}

float read_one(const std::string& text) {
  const TemporaryFolder folder;
  return read_matrix(folder.write("one.csv", text + "\n"))(0, 0);
}

}  // namespace

TEST_SUITE("csv") {
TEST_CASE("separators are found out") {
  check_read("a.csv", "1,2\n3,4\n", 2, 2, {1, 2, 3, 4});
  check_read("a.csv", "1;2\n3;4\n", 2, 2, {1, 2, 3, 4});
  check_read("a.tsv", "1\t2\n3\t4\n", 2, 2, {1, 2, 3, 4});
  check_read("a.txt", "  1   2\n 3 \t 4  \n", 2, 2, {1, 2, 3, 4});
  check_read("a.csv", " 1 , 2\t\n3,  4\n", 2, 2, {1, 2, 3, 4});
  check_read("a.csv", "1\n2\n", 2, 1, {1, 2});
}

TEST_CASE("a header line is passed over") {
  check_read("a.csv", "width,height\n1,2\n", 1, 2, {1, 2});
  check_read("a.csv", "\"width, of all\",\"say \"\"height\"\"\"\n1,2\n", 1, 2, {1, 2});
  check_read("a.csv", "width,height\n", 0, 2, {});
  check_read("a.tsv", "wide part\thigh part\n1\t2\n", 1, 2, {1, 2});
  check_refused("1,two\n3,4\n",
                "line 1, column 2: \"two\" is not a number, though others of its line are; if the "
                "line names the columns, that has to be said");
}

TEST_CASE("line ends, blank lines, comments, byte order mark, quotes") {
  check_read("a.csv", "1,2\r\n3,4\r\n", 2, 2, {1, 2, 3, 4});
  check_read("a.csv", "1,2\n3,4", 2, 2, {1, 2, 3, 4});
  check_read("a.csv", "1,2\r\n3,4\r", 2, 2, {1, 2, 3, 4});
  check_read("a.csv", "\n\n1,2\n  \n3,4\n\n", 2, 2, {1, 2, 3, 4});
  check_read("a.csv", "# made by hand\n1,2\n# the end\n", 1, 2, {1, 2});
  check_read("a.csv",
             "\xEF\xBB\xBF"
             "1,2\n",
             1, 2, {1, 2});
  check_read("a.csv", "\"1\",\" 2 \"\n", 1, 2, {1, 2});
  check_read("a.csv", "1,2,\n3,4,\n", 2, 2, {1, 2, 3, 4});
  check_read("a.tsv", "1\t2\t\n", 1, 2, {1, 2});
}

TEST_CASE("numbers") {
  CHECK(read_one("+1.5") == 1.5f);
  CHECK(read_one(".5") == 0.5f);
  CHECK(read_one("5.") == 5.0f);
  CHECK(read_one("1e3") == 1000.0f);
  CHECK(read_one("1E-3") == 0.001f);
  CHECK(std::signbit(read_one("-0")));
  // Halfway cases go to the even neighbour, however many digits decide it.
  CHECK(read_one("16777217") == 16777216.0f);
  CHECK(read_one("16777219") == 16777220.0f);
  CHECK(read_one("16777217.00000000000000000000000000001") == 16777218.0f);
  CHECK(std::isnan(read_one("NaN")));
  CHECK(read_one("inf") == INFINITY);
  CHECK(read_one("-Infinity") == -INFINITY);
  // Too small is zero, with its sign; too large is refused.
  CHECK(read_one("1e-45") == std::numeric_limits<float>::denorm_min());
  CHECK(read_one("1e-400") == 0.0f);
  CHECK(std::signbit(read_one("-1e-99999999999999999999")));
  CHECK(read_one("0." + std::string(500, '0') + "1") == 0.0f);
  CHECK(read_one("0e99999") == 0.0f);
  CHECK(read_one("3.4028235e38") == std::numeric_limits<float>::max());
}

TEST_CASE("numbers beyond the range of a float") {
  const auto refused = [](const std::string& number) {
    CAPTURE(number);
    const TemporaryFolder folder;
    const std::string path = folder.write("a.csv", "0\n" + number + "\n");
    CHECK_THROWS_WITH_AS(read_matrix(path), doctest::Contains("beyond the range of binary32"), Error);
  };
  refused("3.5e38");
  refused("-1e400");
  refused("1e99999999999999999999");
  refused("1" + std::string(400, '0'));
  refused("0." + std::string(100, '0') + "1e200");
  check_refused("0,1\n0,1e39\n", "line 2, column 2: 1e39 is beyond the range of binary32");
}

TEST_CASE("what is not a number is named by line and column") {
  check_refused("1,2\n3,x\n", "line 2, column 2: \"x\" is not a number");
  check_refused("a,b\n\n1,2\n1,2 3\n", "line 4, column 2 (\"b\"): \"2 3\" is not a number");
  check_refused("1,2\n3,,\n", "line 2, column 2: the field is empty, a missing value");
  check_refused("1,2,3\n1,2,\n", "line 2, column 3: the field is empty, a missing value");
  check_refused("1,2\n3,NA\n", "line 2, column 2: \"NA\" is a missing value");
  check_refused("1,2\n+-1,2\n", "line 2, column 1: \"+-1\" is not a number");
  check_refused("1,2\n0x10,2\n", "line 2, column 1: \"0x10\" is not a number");
  check_refused("1;2\n1,5;2\n", "line 2, column 1: \"1,5\" is not a number");
  check_refused(std::string("1,2\n\0,2\n", 8), "line 2, column 1: \"?\" is not a number");
  check_refused("1\n" + std::string(100, 'x') + "\n",
                "line 2, column 1: \"" + std::string(40, 'x') + "...\" is not a number");
  check_refused("1,2\n\"3,4\n", "line 2, column 1: the quotation mark is not closed on its line");
  check_refused("\"a,b\n1,2\n", "line 1, column 1: the quotation mark is not closed on its line");
}

TEST_CASE("ragged rows") {
  check_refused("1,2\n3\n", "line 2: 1 columns, the first line has 2");
  check_refused("1,2\n3,4,5\n", "line 2: 3 columns, the first line has 2");
  check_refused("a,b,c\n1,2\n", "line 2: 2 columns, the first line has 3");
}

TEST_CASE("nothing in the file") {
  const TemporaryFolder folder;
  check_malformed(folder.write("empty.csv", ""), "the file holds no row");
  check_malformed(folder.write("blank.csv", "\n \n\r\n# nothing\n"), "the file holds no row");
}

TEST_CASE("integers") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "-1,+2,4294967295,-2147483648\n");
  check_matrix<std::int32_t>(read_integers(path), 1, 4, {-1, 2, -1, INT32_MIN});
  const auto refused = [&](const std::string& text, const std::string& message) {
    const std::string file = folder.write("b.csv", "1\n" + text + "\n");
    check_error([&] { read_integers(file); }, ErrorCode::malformed_file, file, "line 2, column 1: " + message);
  };
  refused("3.0", "\"3.0\" is not an integer of 32 bits");
  refused("4294967296", "4294967296 is beyond the range of an integer of 32 bits");
  refused("-2147483649", "-2147483649 is beyond the range of an integer of 32 bits");
  refused("99999999999999999999", "99999999999999999999 is beyond the range of an integer of 32 bits");
}

TEST_CASE("parts of the rows") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "a,b\n1,2\n3,4\n5,6\n7,x\n");
  check_matrix<float>(read_matrix(path, {.first_row = 1, .max_rows = 2}), 2, 2, {3, 4, 5, 6});
  check_matrix<float>(read_matrix(path, {.first_row = 9}), 0, 2, {});
  check_matrix<float>(read_matrix(path, {.max_rows = 0}), 0, 2, {});
  CHECK(inspect_data(path).rows == 4);
}

TEST_CASE("lines longer than a read buffer") {
  const TemporaryFolder folder;
  std::string line = "0";
  for (int i = 1; i < 50000; ++i) (line += ',') += std::to_string(i);
  const auto matrix = read_matrix(folder.write("wide.csv", line + "\n" + line + "\n"));
  REQUIRE(matrix.columns() == 50000);
  CHECK(matrix(1, 49999) == 49999.0f);
}
}  // namespace suite
