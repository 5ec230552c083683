#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

TEST_SUITE("files") {
TEST_CASE("a file that is not there, or not a file") {
  const TemporaryFolder folder;
  const std::string missing = folder.file("missing.npy");
  check_error([&] { read_matrix(missing); }, ErrorCode::not_found, missing, "no such file");
  check_error([&] { inspect_data(missing); }, ErrorCode::not_found, missing, "no such file");
  check_error([&] { read_integers(missing); }, ErrorCode::not_found, missing, "no such file");
  std::filesystem::create_directory(folder.file("folder.csv"));
  check_error([&] { read_matrix(folder.file("folder.csv")); }, ErrorCode::input_output, folder.file("folder.csv"),
              "is a directory, not a file");
}

TEST_CASE("a name that tells no format") {
  check_error([] { read_matrix("rows.data"); }, ErrorCode::unsupported, "rows.data",
              "its name tells no format that can be read: .npy, .npz, .fvecs, .bvecs, .ivecs, .fbin, "
              ".f16bin, .u8bin, .i8bin, .ibin, .csv, .tsv, .txt (these three also with .gz), .hdf5, .h5");
  CHECK_THROWS_WITH_AS(read_matrix("rows.PARQUET"),
                       doctest::Contains("Parquet files cannot be read; in Python, numpy.save("), Error);
  CHECK_THROWS_AS(read_matrix(""), Error);
  CHECK_THROWS_AS(read_matrix("npy"), Error);
  CHECK_THROWS_AS(read_matrix("rows.npy#train"), Error);
}

TEST_CASE("the format is told by the name in any case") {
  const TemporaryFolder folder;
  CHECK(inspect_data(folder.write("A.CSV", "1,2\n")).format == "csv");
  CHECK(inspect_data(folder.write("with#mark.csv", "1,2\n")).columns == 2);
}

TEST_CASE("the memory limit holds for what is read, not for the file") {
  const TemporaryFolder folder;
  const std::vector<float> values(1000, 1.0f);
  for (const char* name : {"a.npy", "a.fvecs", "a.fbin", "a.csv"}) {
    CAPTURE(name);
    const std::string path = folder.file(name);
    write_matrix(path, MatrixView<float>(values.data(), 100, 10));
    check_error([&] { read_matrix(path, {.memory_limit = 3999}); }, ErrorCode::out_of_memory, path,
                "100 rows of 10 columns need 4000 bytes of memory, 3999 are allowed");
    CHECK(read_matrix(path, {.memory_limit = 4000}).rows() == 100);
    CHECK(read_matrix(path, {.max_rows = 10, .memory_limit = 400}).rows() == 10);
  }
}

TEST_CASE("names of codes and types are stable") {
  CHECK(to_string(ErrorCode::invalid_argument) == "invalid_argument");
  CHECK(to_string(ErrorCode::unsupported) == "unsupported");
  CHECK(to_string(ErrorCode::not_found) == "not_found");
  CHECK(to_string(ErrorCode::malformed_file) == "malformed_file");
  CHECK(to_string(ErrorCode::input_output) == "input_output");
  CHECK(to_string(ErrorCode::out_of_memory) == "out_of_memory");
  CHECK(to_string(ErrorCode::device_lost) == "device_lost");
  CHECK(to_string(ErrorCode::backend_failure) == "backend_failure");
  CHECK(to_string(ElementType::float16) == "float16");
  CHECK(to_string(ElementType::uint64) == "uint64");
  CHECK(to_string(ElementType::text) == "text");
}
}  // namespace suite
