#include <cmath>

#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

DataTable table_of(const std::string& text, const TableOptions& options = {}, const std::string& name = "a.csv") {
  const TemporaryFolder folder;
  const std::string path = folder.write(name, text);
  DataTable table = read_table(path, options);
  const TableInfo info = inspect_table(path, options);
  CHECK(info.columns == table.values.columns());
  if (options.rows.max_rows == UINT64_MAX) CHECK(info.rows == table.values.rows() + table.dropped_rows);
  CHECK(info.column_names == table.columns);
  return table;
}

void check_refused(const std::string& text, const TableOptions& options, ErrorCode code, const std::string& message) {
  CAPTURE(text);
  const TemporaryFolder folder;
  const std::string path = folder.write("a.csv", text);
  check_error([&] { read_table(path, options); }, code, path, message);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_SUITE("table") {
TEST_CASE("what pandas writes by default: the index is no dimension") {
  const DataTable table = table_of(",x,y\n0,1.5,2\n1,3,4\n");
  check_matrix<float>(table.values, 2, 2, {1.5f, 2, 3, 4});
  CHECK(table.columns == Names{"x", "y"});
  CHECK(table.text->header);
  CHECK(table.text->index_left_out);
  const DataTable with_ids = table_of(",x,y\na,1,2\n\"b, \"\"c\"\"\",3,4\n", {.ids = "1"});
  check_matrix<float>(with_ids.values, 2, 2, {1, 2, 3, 4});
  CHECK(with_ids.ids == Names{"a", "b, \"c\""});
  CHECK_FALSE(with_ids.text->index_left_out);
  check_matrix<float>(table_of(",x\n7,1\n", {.columns = "1-"}).values, 1, 2, {7, 1});
  // Columns without names: numbers that count from 0, which no row of numbers lacks its first of.
  check_matrix<float>(table_of(",0,1\n0,5,6\n").values, 1, 2, {5, 6});
  check_matrix<float>(table_of("\"\";\"a\"\r\n\"1\";0.5\r\n").values, 1, 1, {0.5f});
}

TEST_CASE("numbers that may be names") {
  DataTable table = table_of("0,1,2\n0.5,1.5,2.5\n");
  CHECK(table.text->header);
  CHECK(table.text->numbers_as_names);
  CHECK(table.columns == Names{"0", "1", "2"});
  CHECK(table.values.rows() == 1);
  table = table_of("1,2,3\n4,5,6\n");
  CHECK_FALSE(table.text->header);
  CHECK(table.text->names_as_numbers);
  CHECK(table.values.rows() == 2);
  // Too few columns for a guess, and numbers that do not count.
  for (const char* rows : {"0,1\n0.5,1.5\n", "0,1,3\n0.5,1.5,2.5\n", "5,6,7\n0.5,1.5,2.5\n"}) {
    CAPTURE(rows);
    table = table_of(rows);
    CHECK(table.values.rows() == 2);
    CHECK_FALSE(table.text->numbers_as_names);
    CHECK_FALSE(table.text->names_as_numbers);
  }
}

TEST_CASE("the header is what the caller says") {
  const TableOptions yes = {.text = {.header = HeaderLine::present}};
  const TableOptions no = {.text = {.header = HeaderLine::absent}};
  CHECK(table_of("1,2\n3,4\n", yes).values.rows() == 1);
  CHECK(table_of("1,2\n3,4\n", yes).columns == Names{"1", "2"});
  CHECK(table_of("0,1,2\n0.5,1.5,2.5\n", no).values.rows() == 2);
  CHECK(table_of("id,2019\n1,2\n", yes).columns == Names{"id", "2019"});
  check_refused("a,b\n3,4\n", no, ErrorCode::malformed_file, "line 1, column 1: \"a\" is not a number");
  // A name that is asked for is a name.
  CHECK(table_of("id,2019\n7,2\n", {.ids = "id"}).columns == Names{"2019"});
}

TEST_CASE("columns by name, number and range, in the order asked for") {
  const std::string text = "id,x,y,z\na,1,2,3\nb,4,5,6\n";
  check_matrix<float>(table_of(text, {.columns = "z,x"}).values, 2, 2, {3, 1, 6, 4});
  CHECK(table_of(text, {.columns = "z,x"}).columns == Names{"z", "x"});
  check_matrix<float>(table_of(text, {.columns = "2-3"}).values, 2, 2, {1, 2, 4, 5});
  check_matrix<float>(table_of(text, {.columns = "3-"}).values, 2, 2, {2, 3, 5, 6});
  check_matrix<float>(table_of(text, {.columns = "last, x"}).values, 2, 2, {3, 1, 6, 4});
  check_matrix<float>(table_of("\"a,b\",c\n1,2\n", {.columns = "\"a,b\""}).values, 1, 1, {1});
  // A name comes before a number.
  check_matrix<float>(table_of("2,1\n5,6\n", {.columns = "1", .text = {.header = HeaderLine::present}}).values, 1, 1,
                      {6});
  check_matrix<float>(table_of("b,1,2\n", {.columns = "2-3"}).values, 1, 2, {1, 2});
  const std::string there = "; its columns are 1 to 4: id, x, y, z";
  for (const char* wrong : {"w", "0", "5", "2-9", "3-2", "-2", "2-x", "x,,y"}) {
    CAPTURE(wrong);
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(read_table(folder.write("a.csv", text), {.columns = wrong}), doctest::Contains(there.c_str()),
                         Error);
  }
  check_refused(text, {.columns = "x,2"}, ErrorCode::unsupported, "column 2 is chosen twice, the second time by \"2\"");
  check_refused("a,b,a\n1,2,3\n", {.columns = "a"}, ErrorCode::unsupported,
                "several columns are named \"a\"; their numbers tell them apart");
  check_refused("1,2\n", {.columns = "x"}, ErrorCode::not_found,
                "no column \"x\"; its columns are 1 to 2, without names");
  check_refused("a\nb\n", {.ids = "a"}, ErrorCode::malformed_file, "no column is left to be read as numbers");
}

TEST_CASE("ids and labels, numbers or texts") {
  const DataTable table =
      table_of("name,x,class\n ann ,1,cat\nbob,2,\"a \"\"b\"\", c\"\n", {.ids = "name", .labels = "last"});
  check_matrix<float>(table.values, 2, 1, {1, 2});
  CHECK(table.ids == Names{"ann", "bob"});
  CHECK(table.labels == Names{"cat", "a \"b\", c"});
  // Without a header, by number.
  const DataTable numbers = table_of("7,1,2\n8,3,4\n", {.ids = "1", .labels = "3"});
  check_matrix<float>(numbers.values, 2, 1, {1, 3});
  CHECK(numbers.ids == Names{"7", "8"});
  CHECK(numbers.labels == Names{"2", "4"});
  const DataTable part = table_of("i,x\na,1\nb,2\nc,3\n", {.rows = {.first_row = 1, .max_rows = 1}, .ids = "i"});
  CHECK(part.ids == Names{"b"});
  check_matrix<float>(part.values, 1, 1, {2});
}

TEST_CASE("labels of other formats, ids of none") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.npy");
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  write_matrix(path, MatrixView<float>(values.data(), 2, 3));
  const DataTable table = read_table(path, {.labels = "2"});
  check_matrix<float>(table.values, 2, 2, {1, 3, 4, 6});
  CHECK(table.labels == Names{"2", "5"});
  check_matrix<float>(read_table(path, {.columns = "3,1"}).values, 2, 2, {3, 1, 6, 4});
  CHECK(inspect_table(path, {.columns = "3,1"}).columns == 2);
  check_error([&] { read_table(path, {.columns = "x"}); }, ErrorCode::not_found, path,
              "no column \"x\"; its columns are 1 to 3, without names");
  check_error([&] { read_table(path, {.ids = "1"}); }, ErrorCode::unsupported, path,
              "ids are columns of text files: .csv, .tsv, .txt; this is none");
  check_matrix<std::int32_t>(read_integer_table(folder.write("b.csv", "a,b\n1,16777217\n"), {.columns = "b"}), 1, 1,
                             {16777217});
}

TEST_CASE("missing values") {
  const std::string text = "x,y\n1,\nNA,2\n3,4\n5,null\n";
  check_refused(text, {}, ErrorCode::malformed_file, "line 2, column 2 (\"y\"): the field is empty, a missing value");
  DataTable table = table_of(text, {.missing = MissingValues::drop_row});
  check_matrix<float>(table.values, 1, 2, {3, 4});
  CHECK(table.dropped_rows == 3);
  table = table_of(text, {.missing = MissingValues::number, .missing_number = -1});
  check_matrix<float>(table.values, 4, 2, {1, -1, -1, 2, 3, 4, 5, -1});
  CHECK(table.replaced_values == 3);
  table = table_of(text, {.missing = MissingValues::not_a_number});
  CHECK(std::isnan(table.values(0, 1)));
  CHECK(std::isnan(table.values(1, 0)));
  CHECK(table.values(3, 0) == 5);
  // The names go with their rows.
  table =
      table_of("i,x,l\na,,1\nb,2,2\nc,?,3\nd,4,4\n", {.ids = "i", .labels = "l", .missing = MissingValues::drop_row});
  CHECK(table.ids == Names{"b", "d"});
  CHECK(table.labels == Names{"2", "4"});
  for (const char* word : {"", "NA", "n/a", "#N/A", "<NA>", "NULL", "None", "?"}) {
    CAPTURE(word);
    CHECK(
        table_of(std::string("0,0\n1,").append(word).append("\n"), {.missing = MissingValues::drop_row}).dropped_rows ==
        1);
  }
  // Words that are no numbers are no missing values either.
  check_refused("1,2\nnone at all,2\n", {.missing = MissingValues::drop_row}, ErrorCode::malformed_file,
                "line 2, column 1: \"none at all\" is not a number");
  // NaN that is written counts where a rule is given, whatever the format.
  CHECK(table_of("nan\n1\n").values.rows() == 2);
  CHECK(table_of("nan\n1\n", {.missing = MissingValues::drop_row}).values.rows() == 1);
  check_matrix<float>(
      table_of("1\t2\n\t\n3\t4\n", {.missing = MissingValues::number, .missing_number = 0}, "a.tsv").values, 3, 2,
      {1, 2, 0, 0, 3, 4});
}

TEST_CASE("delimiters and decimal marks") {
  check_matrix<float>(table_of("1|2\n3|4\n", {.text = {.delimiter = '|'}}).values, 2, 2, {1, 2, 3, 4});
  check_matrix<float>(table_of("1,5;2,25\n3;-4e1\n", {.text = {.decimal = ','}}).values, 2, 2, {1.5f, 2.25f, 3, -40});
  check_matrix<float>(table_of("1,5\t2\n", {.text = {.decimal = ','}}).values, 1, 2, {1.5f, 2});
  check_matrix<float>(table_of("1,5 2\n", {.text = {.decimal = ','}}).values, 1, 2, {1.5f, 2});
  check_matrix<float>(table_of("x;y\n\"1,5\";2\n", {.text = {.decimal = ','}}).values, 1, 2, {1.5f, 2});
  CHECK(table_of("1;2,5\n", {.text = {.decimal = ','}}).text->delimiter == ';');
  check_refused("0\n1.500\n", {.text = {.decimal = ','}}, ErrorCode::malformed_file,
                "line 2, column 1: \"1.500\" is not a number");
  for (const char wrong : {'1', 'e', '"', '-', '\n', '.', '\x80'}) {
    CAPTURE(wrong);
    const TemporaryFolder folder;
    CHECK_THROWS_AS(read_table(folder.write("a.csv", "1,2\n"), {.text = {.delimiter = wrong}}), Error);
  }
  const TemporaryFolder folder;
  CHECK_THROWS_AS(read_table(folder.write("a.csv", "1,2\n"), {.text = {.decimal = 'x'}}), Error);
}

TEST_CASE("comments are counted") { CHECK(table_of("# made\n1,2\n#3,4\n5,6\n").text->comment_lines == 2); }

TEST_CASE("a file's content in memory: its first bytes tell its format") {
  const TemporaryFolder folder;
  const std::vector<float> values = {1, 2, 3, 4};
  write_matrix(folder.file("a.npy"), MatrixView<float>(values.data(), 2, 2));
  const auto read = [](const std::string& bytes, const std::string& name) {
    return read_table(std::as_bytes(std::span(bytes)), name).values;
  };
  check_matrix(read(read_bytes(folder.file("a.npy")), "standard input"), 2, 2, values);
  check_matrix(read("1,2\n3,4\n", "standard input"), 2, 2, values);
  check_matrix(read("1 2\n3 4\n", "pipe.txt"), 2, 2, values);
  const std::string text = "1;2\n";
  CHECK(inspect_table(std::as_bytes(std::span(text)), "-").format == "csv");
  check_error([&] { read("", "standard input"); }, ErrorCode::malformed_file, "standard input",
              "the file holds no row");
  check_error([&] { read("PAR1xxxx", "standard input"); }, ErrorCode::unsupported, "standard input",
              "Parquet files cannot be read; in Python, numpy.save(\"rows.npy\", "
              "table.to_numpy(\"float32\")) writes a pandas table as .npy, and "
              "table.to_csv(\"rows.csv\") as .csv");
  CHECK_THROWS_AS(read("1,2\n", "a.npy"), Error);
}

TEST_CASE("lines around the end of a read buffer, by ones") {
  // The reader takes 65,536 bytes at a time.
  for (const char* end : {"\n", "\r\n"})
    for (std::size_t size = 65536 - 12; size <= 65536 + 12; ++size) {
      CAPTURE(size);
      // Rows "1,2", then one that is filled with zeros up to `size`, then another.
      std::string text;
      while (text.size() + 5 < size / 2) text.append("1,2").append(end);
      const std::uint64_t before = text.size() / (3 + std::string(end).size());
      text.append("3,4.").append(size - text.size() - 4, '0').append(end).append("\"5\",6").append(end);
      const TemporaryFolder folder;
      const Matrix<float> matrix = read_matrix(folder.write("a.csv", text));
      REQUIRE(matrix.rows() == before + 2);
      CHECK(matrix(before, 1) == 4);
      CHECK(matrix(before + 1, 0) == 5);
      CHECK(matrix(before + 1, 1) == 6);
    }
}
}  // namespace suite
