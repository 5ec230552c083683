#include "support.hpp"

#ifdef PROXEL_WITH_HDF5
#include <hdf5.h>
#endif

using namespace proxel;
using namespace proxel::testing;

#ifdef PROXEL_WITH_HDF5
namespace {

struct Storage {
  std::vector<hsize_t> chunk;
  bool deflate = false;
  bool shuffle = false;
  bool fletcher = false;
  bool scale_offset = false;
  bool compact = false;
  std::string external;
};

// Writes HDF5 files as other programs do, through the C library.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path, hsize_t user_block = 0) {
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(creation, user_block);
    file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    H5Pclose(creation);
    REQUIRE(file_ >= 0);
  }
  ~Hdf5Writer() { H5Fclose(file_); }

  void data_set(const char* name, hid_t stored, hid_t given, const std::vector<hsize_t>& shape, const void* values,
                const Storage& storage = {}) {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (!storage.chunk.empty()) H5Pset_chunk(creation, static_cast<int>(storage.chunk.size()), storage.chunk.data());
    if (storage.compact) H5Pset_layout(creation, H5D_COMPACT);
    if (storage.shuffle) H5Pset_shuffle(creation);
    if (storage.deflate) H5Pset_deflate(creation, 9);
    if (storage.fletcher) H5Pset_fletcher32(creation);
    if (storage.scale_offset) H5Pset_scaleoffset(creation, H5Z_SO_INT, H5Z_SO_INT_MINBITS_DEFAULT);
    if (!storage.external.empty()) H5Pset_external(creation, storage.external.c_str(), 0, H5F_UNLIMITED);
    const hid_t set = H5Dcreate2(file_, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    REQUIRE(set >= 0);
    if (values != nullptr) REQUIRE(H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
  }
  hid_t file() const { return file_; }

 private:
  hid_t file_;
};

}  // namespace

TEST_SUITE("hdf5") {
TEST_CASE("the ann-benchmarks layout") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.hdf5");
  const std::vector<float> train = {1, 2, 3, 4, 5, 6};
  const std::vector<float> test = {7, 8};
  const std::vector<std::int32_t> neighbors = {2, 1, 0};
  const std::vector<float> distances = {0.5f, 1.5f, 2.5f};
  {
    Hdf5Writer writer(path);
    writer.data_set("train", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {3, 2}, train.data());
    writer.data_set("test", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {1, 2}, test.data());
    writer.data_set("neighbors", H5T_STD_I32LE, H5T_NATIVE_INT, {1, 3}, neighbors.data());
    writer.data_set("distances", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {1, 3}, distances.data());
  }
  check_matrix(read_matrix(path), 3, 2, train);
  check_matrix(read_matrix(path + "#train", {.first_row = 1, .max_rows = 1}), 1, 2, {3.0f, 4.0f});
  check_matrix(read_matrix(path + "#test"), 1, 2, test);
  check_matrix(read_integers(path + "#neighbors"), 1, 3, neighbors);
  check_matrix(read_matrix(path + "#distances"), 1, 3, distances);

  const DataInfo info = inspect_data(path + "#neighbors");
  CHECK(info.path == path);
  CHECK(info.format == "hdf5");
  CHECK(info.rows == 1);
  CHECK(info.columns == 3);
  CHECK(info.type == ElementType::int32);
  CHECK(info.parts == std::vector<std::string>{"distances", "neighbors", "test", "train"});

  check_error([&] { read_matrix(path + "#queries"); }, ErrorCode::not_found, path,
              "no data set \"queries\"; it holds: distances, neighbors, test, train");
  check_error([&] { read_integers(path); }, ErrorCode::malformed_file, path,
              "integers are needed, the file holds float32");
  check_error([&] { read_matrix(path, {.memory_limit = 23}); }, ErrorCode::out_of_memory, path,
              "3 rows of 2 columns need 24 bytes of memory, 23 are allowed");
}

TEST_CASE("data sets in groups, and the only one without its name") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.hdf5");
  const std::vector<float> values = {1, 2, 3, 4};
  {
    Hdf5Writer writer(path);
    H5Gclose(H5Gcreate2(writer.file(), "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(H5Gcreate2(writer.file(), "a/b", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    writer.data_set("a/b/rows", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {2, 2}, values.data());
    // Groups that hold each other must not be walked for ever.
    H5Lcreate_hard(writer.file(), "/a", writer.file(), "/a/b/up", H5P_DEFAULT, H5P_DEFAULT);
  }
  CHECK_FALSE(inspect_data(path + "#a/b/rows").parts.empty());
  CHECK(inspect_data(path + "#a/b/rows").parts.front() == "a/b/rows");
  for (const char* name : {"#a/b/rows", "#/a/b/rows", ":/a/b/rows", "#a/b/up/b/rows"}) {
    CAPTURE(name);
    check_matrix(read_matrix(path + name), 2, 2, values);
  }
  CHECK_THROWS_WITH_AS(read_matrix(path), doctest::Contains("which data set is meant"), Error);
  const std::string one = folder.file("one.h5");
  {
    Hdf5Writer writer(one);
    H5Gclose(H5Gcreate2(writer.file(), "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    writer.data_set("g/vectors", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {4}, values.data());
  }
  CHECK(read_table(one).one_dimensional);
  check_matrix(read_matrix(one), 4, 1, values);
  check_error([&] { read_matrix(one + ":/g/rows"); }, ErrorCode::not_found, one,
              "no data set \"g/rows\"; it holds: g/vectors");
}

TEST_CASE("values that were rounded are counted, in one piece and in chunks") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.hdf5");
  const std::vector<double> values = {0.5, 1700000010, 3, 0.1};
  for (const Storage& storage : {Storage{}, Storage{.chunk = {1, 1}, .deflate = true}, Storage{.compact = true}}) {
    {
      Hdf5Writer writer(path);
      writer.data_set("train", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, {2, 2}, values.data(), storage);
    }
    const DataTable table = read_table(path);
    CHECK(table.rounding.values == 2);
    CHECK(table.rounding.row == 0);
    CHECK(table.rounding.column == 1);
    CHECK(table.rounding.stored == "1700000010");
    CHECK(table.rounding.read == 1700000000.0f);
  }
}

TEST_CASE("element types are converted, never clipped") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.h5");
  const std::vector<double> doubles = {0.1, 1e300};
  const std::vector<std::int64_t> wide = {-3, 5000000000};
  const std::vector<std::uint8_t> bytes = {0, 255};
  const std::vector<double> small = {1.5, -2};
  {
    Hdf5Writer writer(path);
    writer.data_set("doubles", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 1}, doubles.data());
    writer.data_set("wide", H5T_STD_I64BE, H5T_NATIVE_INT64, {1, 2}, wide.data(), {.chunk = {1, 2}});
    writer.data_set("bytes", H5T_STD_U8LE, H5T_NATIVE_UINT8, {2}, bytes.data());
    writer.data_set("big_endian", H5T_IEEE_F32BE, H5T_NATIVE_DOUBLE, {1, 2}, small.data());
  }
  check_error([&] { read_matrix(path + "#doubles"); }, ErrorCode::malformed_file, path,
              "at byte 2056: 1e+300 is beyond the range of binary32");
  check_error([&] { read_integers(path + "#wide"); }, ErrorCode::malformed_file, path,
              "data set \"wide\", row 0, column 1: 5000000000 is not an integer of 32 bits");
  check_matrix<float>(read_matrix(path + "#wide"), 1, 2, {-3, 5e9f});
  check_matrix<float>(read_matrix(path + "#bytes"), 2, 1, {0, 255});
  check_matrix<float>(read_matrix(path + "#big_endian"), 1, 2, {1.5f, -2});
}

TEST_CASE("chunked and compressed, more rows than one batch") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.hdf5");
  std::vector<std::int32_t> values(100000 * 7);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
  {
    Hdf5Writer writer(path);
    writer.data_set("train", H5T_STD_I32LE, H5T_NATIVE_INT, {100000, 7}, values.data(),
                    {.chunk = {1000, 3}, .deflate = true, .shuffle = true, .fletcher = true});
  }
  CHECK(std::filesystem::file_size(path) < values.size() * 4);
  CHECK(values_of(read_integers(path)) == values);
  const auto part = read_integers(path, {.first_row = 99998, .max_rows = 9});
  CHECK(part.rows() == 2);
  CHECK(part(1, 6) == 699999);
}

TEST_CASE("every way of storing, also behind a user block") {
  const TemporaryFolder folder;
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  for (const hsize_t user_block : {0, 512}) {
    CAPTURE(user_block);
    const std::string path = folder.file("a.hdf5");
    {
      Hdf5Writer writer(path, user_block);
      writer.data_set("piece", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {3, 2}, values.data());
      writer.data_set("compact", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, {3, 2}, values.data(), {.compact = true});
      writer.data_set("chunks", H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, {3, 2}, values.data(),
                      {.chunk = {2, 2}, .deflate = true});
      writer.data_set("column", H5T_IEEE_F64LE, H5T_NATIVE_FLOAT, {6}, values.data(), {.chunk = {4}, .shuffle = true});
    }
    for (const char* part : {"#piece", "#compact", "#chunks"}) {
      CAPTURE(part);
      check_matrix(read_matrix(path + part), 3, 2, values);
      check_matrix<float>(read_matrix(path + part, {.first_row = 1, .max_rows = 1}), 1, 2, {3, 4});
      CHECK(read_matrix(path + part, {.first_row = 9}).rows() == 0);
    }
    check_matrix(read_matrix(path + "#column"), 6, 1, values);
  }
}

TEST_CASE("sizes that nothing stored bears out are refused") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.hdf5");
  {
    Hdf5Writer writer(path);
    const hsize_t huge = hsize_t{1} << 40;
    writer.data_set("chunked", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {huge, 1000}, nullptr,
                    {.chunk = {10, 1000}, .deflate = true});
    writer.data_set("contiguous", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {1000, 1000}, nullptr);
    const float value = 1;
    writer.data_set("chunk", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {1, 1}, &value, {.chunk = {1, 1}});
    writer.data_set("none", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {0, 4}, nullptr);
    writer.data_set("flat", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {4, 0}, nullptr);
  }
  check_error([&] { read_matrix(path + "#chunked"); }, ErrorCode::malformed_file, path,
              "data set \"chunked\": 1099511627776 x 1000 values of float32 are promised, only 0 "
              "bytes are stored");
  check_error([&] { read_matrix(path + "#contiguous"); }, ErrorCode::malformed_file, path,
              "data set \"contiguous\": 1000 x 1000 values of float32 are promised, only 0 bytes "
              "are stored");
  check_matrix<float>(read_matrix(path + "#chunk"), 1, 1, {1});
  check_matrix<float>(read_matrix(path + "#none"), 0, 4, {});
  check_error([&] { read_matrix(path + "#flat"); }, ErrorCode::malformed_file, path,
              "data set \"flat\": its rows have no columns");
}

TEST_CASE("what reaches outside the file, or is not a matrix of numbers") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.hdf5");
  const std::string other = folder.write("secret", "12345678");
  const std::vector<std::int32_t> values = {1, 2, 3, 4};
  {
    Hdf5Writer writer(path);
    writer.data_set("external", H5T_STD_I32LE, H5T_NATIVE_INT, {2, 1}, nullptr, {.external = other});
    writer.data_set("scaled", H5T_STD_I32LE, H5T_NATIVE_INT, {2, 2}, values.data(),
                    {.chunk = {2, 2}, .scale_offset = true});
    writer.data_set("cube", H5T_STD_I32LE, H5T_NATIVE_INT, {1, 2, 2}, values.data());
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 8);
    writer.data_set("text", text, text, {1}, "abcdefgh");
    H5Tclose(text);
    H5Lcreate_external(other.c_str(), "/x", writer.file(), "linked", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/cube", writer.file(), "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(writer.file(), "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  const auto refused = [&](const std::string& part, const std::string& message) {
    check_error([&] { read_matrix(path + "#" + part); }, ErrorCode::unsupported, path,
                "data set \"" + part + "\": " + message);
  };
  refused("external", "its values lie in another file");
  refused("scaled", "filter 6; deflate (1), shuffle (2) and fletcher32 (3) can be read");
  refused("cube", "it has 3 dimensions; a matrix has two");
  refused("text", "its elements are not integers of 8 to 64 bits or floats of 32 or 64 bits");
  for (const char* part : {"", "/"})
    check_error([&] { read_matrix(path + "#" + part); }, ErrorCode::not_found, path,
                "which data set is meant has to be said after '#'; it holds: cube, external, "
                "scaled, text");
  for (const char* part : {"linked", "soft", "group", "group/x", "."})
    check_error([&] { read_matrix(path + "#" + part); }, ErrorCode::not_found, path,
                "no data set \"" + std::string(part) + "\"; it holds: cube, external, scaled, text");
}

TEST_CASE("files that are not HDF5, or damaged") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& bytes) {
    const std::string path = folder.write("b.hdf5", bytes);
    CHECK_THROWS_WITH_AS(read_matrix(path), doctest::Contains("b.hdf5: not an HDF5 file: "), Error);
  };
  refused("");
  refused("1,2\n3,4\n");
  const std::string path = folder.file("a.hdf5");
  const std::vector<float> values(4096, 1.0f);
  {
    Hdf5Writer writer(path);
    writer.data_set("train", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {64, 64}, values.data(),
                    {.chunk = {64, 64}, .fletcher = true});
  }
  const std::string whole = read_bytes(path);
  for (const std::size_t size : {std::size_t{8}, std::size_t{100}, whole.size() / 2, whole.size() - 1})
    CHECK_THROWS_AS(read_matrix(folder.write("cut.hdf5", whole.substr(0, size))), Error);
  // A file whose own record of its size was cut with it.
  {
    Hdf5Writer writer(path);
    writer.data_set("train", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {64, 64}, values.data());
  }
  std::string shorter = read_bytes(path);
  const std::size_t cut = shorter.size() - 64;
  const std::size_t record = shorter.find(bytes_of<std::uint64_t>(shorter.size()));
  REQUIRE(record < 64);
  shorter.resize(cut);
  shorter.replace(record, 8, bytes_of<std::uint64_t>(cut));
  const std::string shorter_path = folder.write("shorter.hdf5", shorter);
  try {
    read_matrix(shorter_path);
    FAIL_CHECK("a file that ends inside its data set was read");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::malformed_file);
    // Newer releases of HDF5 notice by themselves, and open no such data set.
    const std::string message = error.what();
    const std::string at_end = ": at byte " + std::to_string(cut) + ": the file ends inside data set \"train\"";
    const std::string by_library =
        ": data set \"train\": damaged HDF5 structure (invalid dataset size, likely file corruption)";
    CHECK_MESSAGE((message == shorter_path + at_end || message == shorter_path + by_library), message);
  }

  std::string damaged = whole;
  damaged[damaged.find(bytes_of(1.0f) + bytes_of(1.0f))] ^= 1;
  CHECK_THROWS_WITH_AS(read_matrix(folder.write("sum.hdf5", damaged)),
                       doctest::Contains("data set \"train\", chunk at row 0, column 0: its checksum is wrong"), Error);
}
}  // namespace suite
#else
TEST_SUITE("hdf5") {
TEST_CASE("without the library HDF5 files are unsupported") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.hdf5", "\x89HDF\r\n\x1a\n");
  check_error([&] { read_matrix(path); }, ErrorCode::unsupported, path,
              "this build of proxel was made without HDF5 (libhdf5 was not found)");
  check_error([&] { inspect_data(path); }, ErrorCode::unsupported, path,
              "this build of proxel was made without HDF5 (libhdf5 was not found)");
}
}  // namespace suite
#endif
