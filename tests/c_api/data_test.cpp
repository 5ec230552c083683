// Files of vectors and of lines: what they hold, read and written as in C++.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "proxel/data.hpp"
#include "proxel/data_stored.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / ("proxel_c_data_" + std::to_string(std::random_device()()))) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

proxel_data_view view_of(const proxel_data* data) {
  proxel_data_view view = PROXEL_DATA_VIEW_INIT;
  CHECK_OK(proxel_data_get(data, &view));
  return view;
}

std::string name_of(const proxel_data* data, const char* of, std::uint64_t number) {
  std::string name(64, '?');
  std::uint64_t bytes = 0;
  CHECK_OK(proxel_data_get_name(data, of, number, name.data(), name.size(), &bytes));
  return name.substr(0, bytes);
}

proxel_stored_rows rows_of(const void* data, const char* type, std::uint64_t rows, std::uint64_t columns) {
  proxel_stored_rows stored = PROXEL_STORED_ROWS_INIT;
  stored.data = data;
  stored.type = type;
  stored.rows = rows;
  stored.columns = columns;
  return stored;
}

}  // namespace

TEST_CASE("rows of every type are written, inspected and read in the type they have, copied or mapped") {
  const Folder folder;
  std::vector<std::byte> bytes(12 * 5 * 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 % 113);  // no NaN
  struct Case {
    const char *type, *name;
    std::uint64_t width;
  };
  for (const Case& one : {Case{"float32", "a.npy", 4}, Case{"float32", "a.fvecs", 4}, Case{"float32", "a.fbin", 4},
                          Case{"float16", "a.npy", 2}, Case{"int8", "a.npy", 1}, Case{"uint8", "a.npy", 1},
                          Case{"uint8", "a.bvecs", 1}, Case{"uint8", "a.u8bin", 1}}) {
    CAPTURE(one.type);
    CAPTURE(one.name);
    const std::string path = folder.file(one.name);
    CHECK_OK(proxel_data_write(path.c_str(), of(rows_of(bytes.data(), one.type, 12, 5))));
    DataHandle inspected;
    CHECK_OK(proxel_data_inspect(path.c_str(), nullptr, &inspected));
    const proxel_data_view told = view_of(inspected);
    CHECK(told.values == nullptr);
    CHECK(told.type == nullptr);
    CHECK(told.rows == 12);
    CHECK(told.columns == 5);
    CHECK(told.file_bytes == std::filesystem::file_size(path));
    CHECK(std::string(told.stored) == one.type);
    CHECK(std::string(one.name).ends_with(told.format));
    for (const std::uint64_t mapped : {0, 1})
      for (const auto& [first, most] : {std::pair(0, 0), std::pair(3, 4), std::pair(11, 9)}) {
        proxel_read_options options = PROXEL_READ_OPTIONS_INIT;
        options.mapped = mapped;
        options.missing = "refuse";
        options.first_row = static_cast<std::uint64_t>(first);
        options.max_rows = static_cast<std::uint64_t>(most);
        DataHandle data;
        CHECK_OK(proxel_data_read(path.c_str(), &options, &data));
        const proxel_data_view view = view_of(data);
        CHECK(std::string(view.type) == one.type);
        CHECK(view.columns == 5);
        REQUIRE(view.rows ==
                std::min<std::uint64_t>(most == 0 ? 12 : static_cast<std::uint64_t>(most), 12 - options.first_row));
        for (std::uint64_t row = 0; row < view.rows; ++row)
          CHECK(std::memcmp(static_cast<const std::byte*>(view.values) + row * view.row_bytes,
                            bytes.data() + (options.first_row + row) * 5 * one.width, 5 * one.width) == 0);
      }
    // As floats, whatever they are.
    proxel_read_options options = PROXEL_READ_OPTIONS_INIT;
    options.type = "float32";
    DataHandle floats;
    CHECK_OK(proxel_data_read(path.c_str(), &options, &floats));
    const Matrix<float> expected = read_matrix(path);
    CHECK(std::memcmp(view_of(floats).values, expected.data(), 12 * 5 * 4) == 0);
    options.mapped = 1;
    DataHandle mapped;
    if (one.width != 4) CHECK_FAILS(proxel_data_read(path.c_str(), &options, &mapped), PROXEL_UNSUPPORTED, "mapped");
  }
}

TEST_CASE("indices are written, and read as integers") {
  const Folder folder;
  const std::uint32_t indices[] = {1, 2, 3, 4, 5, 6};
  for (const char* name : {"i.npy", "i.ivecs", "i.ibin", "i.csv"}) {
    CAPTURE(name);
    const std::string path = folder.file(name);
    CHECK_OK(proxel_data_write_indices(path.c_str(), indices, 2, 3));
    proxel_read_options options = PROXEL_READ_OPTIONS_INIT;
    options.type = "int32";
    DataHandle data;
    CHECK_OK(proxel_data_read(path.c_str(), &options, &data));
    const proxel_data_view view = view_of(data);
    CHECK(std::string(view.type) == "int32");
    CHECK(view.rows == 2);
    CHECK(std::memcmp(view.values, indices, sizeof indices) == 0);
  }
  DataHandle none;
  CHECK_FAILS(proxel_data_read(folder.file("i.npy").c_str(), nullptr, &none), PROXEL_UNSUPPORTED,
              folder.file("i.npy").c_str());
  CHECK(std::string(proxel_last_error()).find("its elements are uint32") != std::string::npos);
  CHECK(proxel_data_write_indices(folder.file("i.fvecs").c_str(), indices, 2, 3) == PROXEL_UNSUPPORTED);
  CHECK_FAILS(proxel_data_write_indices(folder.file("i.npy").c_str(), nullptr, 2, 3), PROXEL_INVALID_ARGUMENT,
              "indices");
  CHECK(none == nullptr);
}

TEST_CASE("text has names, ids and labels") {
  const Folder folder;
  const std::string path = folder.write("t.csv", "name,x,y,kind\none,1,2,a\ntwo,3,,b\nthree,0.1,6,a\n");
  proxel_read_options options = PROXEL_READ_OPTIONS_INIT;
  options.ids = "name";
  options.labels = "kind";
  DataHandle none, data;
  CHECK(proxel_data_read(path.c_str(), &options, &none) == PROXEL_MALFORMED_FILE);
  options.missing = "drop";
  CHECK_OK(proxel_data_read(path.c_str(), &options, &data));
  const proxel_data_view view = view_of(data);
  CHECK(std::string(view.format) == "csv");
  CHECK(std::string(view.stored) == "text");
  CHECK(std::string(view.type) == "float32");
  CHECK(view.rows == 2);
  CHECK(view.columns == 2);
  CHECK(view.dropped_rows == 1);
  CHECK(static_cast<const float*>(view.values)[3] == 6);
  CHECK(view.column_count == 2);
  CHECK(view.id_count == 2);
  CHECK(view.label_count == 2);
  CHECK(view.part_count == 0);
  CHECK(name_of(data, "column", 1) == "y");
  CHECK(name_of(data, "id", 1) == "three");
  CHECK(name_of(data, "label", 0) == "a");
  std::uint64_t bytes = 0;
  CHECK_FAILS(proxel_data_get_name(data, "part", 0, nullptr, 0, &bytes), PROXEL_INVALID_ARGUMENT, "number");
  CHECK_FAILS(proxel_data_get_name(data, "row", 0, nullptr, 0, &bytes), PROXEL_INVALID_ARGUMENT, "of");
  CHECK_FAILS(proxel_data_get_name(data, nullptr, 0, nullptr, 0, &bytes), PROXEL_INVALID_ARGUMENT, "of");
  DataHandle inspected;
  CHECK_OK(proxel_data_inspect(path.c_str(), &options, &inspected));
  CHECK(view_of(inspected).rows == 3);
  CHECK(name_of(inspected, "column", 0) == "x");
  options.missing = "nothing";
  CHECK_FAILS(proxel_data_read(path.c_str(), &options, &none), PROXEL_INVALID_ARGUMENT, "missing");
  options.missing = nullptr;
  options.mapped = 1;
  CHECK_FAILS(proxel_data_read(path.c_str(), &options, &none), PROXEL_UNSUPPORTED, "mapped");
  options.mapped = 2;
  CHECK_FAILS(proxel_data_read(path.c_str(), &options, &none), PROXEL_INVALID_ARGUMENT, "mapped");
  CHECK(none == nullptr);
}

TEST_CASE("lines of text are given as strings are taken") {
  const Folder folder;
  const std::string path = folder.write("words.txt", "one\n\ntwo\r\n\xC3\xA9t\xC3\xA9\n");
  DataHandle data, none;
  CHECK_OK(proxel_data_read_lines(path.c_str(), &data));
  const proxel_data_view view = view_of(data);
  CHECK(std::string(view.format) == "lines");
  REQUIRE(view.line_count == 3);
  CHECK(std::string(view.lines[1], view.line_lengths[1]) == "two");
  CHECK(view.line_lengths[2] == 5);
  proxel_strings strings = PROXEL_STRINGS_INIT;
  strings.texts = view.lines;
  strings.lengths = view.line_lengths;
  strings.count = view.line_count;
  IndexHandle index;
  CHECK_OK(proxel_string_index_create(open("cpu"), of(strings), nullptr, &index));
  CHECK(proxel_data_read_lines("/no/such/file", &none) == PROXEL_NOT_FOUND);
  CHECK_FAILS(proxel_data_read_lines(nullptr, &none), PROXEL_INVALID_ARGUMENT, "path");
  CHECK_FAILS(proxel_data_read_lines(path.c_str(), nullptr), PROXEL_INVALID_ARGUMENT, "data");
  CHECK(none == nullptr);
}

TEST_CASE("files that cannot be read or written are refused by name") {
  const Folder folder;
  DataHandle none;
  CHECK_FAILS(proxel_data_read("/no/such/file.npy", nullptr, &none), PROXEL_NOT_FOUND, "/no/such/file.npy");
  CHECK_FAILS(proxel_data_read(nullptr, nullptr, &none), PROXEL_INVALID_ARGUMENT, "path");
  CHECK_FAILS(proxel_data_read("a.npy", nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "data");
  CHECK_FAILS(proxel_data_get(nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "data");
  CHECK(proxel_data_read(folder.write("a.parquet", "PAR1").c_str(), nullptr, &none) == PROXEL_UNSUPPORTED);
  CHECK(proxel_data_read(folder.write("a.npy", "PAR1").c_str(), nullptr, &none) == PROXEL_MALFORMED_FILE);
  proxel_read_options options = PROXEL_READ_OPTIONS_INIT;
  options.type = "float64";
  const Matrix<float> rows = random_matrix(3, 2, 1);
  const proxel_matrix c_rows = c_matrix(rows);
  CHECK_OK(proxel_data_write(folder.file("b.npy").c_str(), of(c_rows)));
  CHECK_FAILS(proxel_data_read(folder.file("b.npy").c_str(), &options, &none), PROXEL_INVALID_ARGUMENT, "type");
  options.type = nullptr;
  options.memory_limit = 8;
  CHECK(proxel_data_read(folder.file("b.npy").c_str(), &options, &none) == PROXEL_OUT_OF_MEMORY);
  CHECK(proxel_data_write(folder.file("b.parquet").c_str(), of(c_rows)) == PROXEL_UNSUPPORTED);
  CHECK(proxel_data_write(folder.file("b.fvecs").c_str(), of(rows_of(rows.data(), "uint8", 3, 2))) ==
        PROXEL_UNSUPPORTED);
  CHECK(proxel_data_write("/no/such/folder/b.npy", of(c_rows)) == PROXEL_INPUT_OUTPUT);
  CHECK_FAILS(proxel_data_write(folder.file("b.npy").c_str(), nullptr), PROXEL_INVALID_ARGUMENT, "rows");
  CHECK(none == nullptr);
}
