#include <algorithm>
#include <csignal>
#include <cmath>
#include <limits>

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

// Floats of every kind: all exponents, both signs, odd fractions.
Matrix<float> many_floats() {
  Matrix<float> matrix(700, 9);
  std::mt19937 random(7);
  for (std::uint64_t row = 0; row < matrix.rows(); ++row)
    for (std::uint64_t column = 0; column < matrix.columns(); ++column) {
      float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      if (std::isnan(value)) value = 0.1f;
      matrix(row, column) = value;
    }
  const float limits[] = {0.0f,
                          -0.0f,
                          INFINITY,
                          -INFINITY,
                          std::numeric_limits<float>::max(),
                          std::numeric_limits<float>::denorm_min(),
                          16777216.0f,
                          0.1f,
                          -1e-40f};
  std::copy(std::begin(limits), std::end(limits), matrix.data());
  return matrix;
}

std::vector<std::uint32_t> bits_of(const Matrix<float>& matrix) {
  std::vector<std::uint32_t> bits;
  for (const float value : values_of(matrix)) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

}  // namespace

TEST_SUITE("write") {
TEST_CASE("floats come back to the bit from every format") {
  const TemporaryFolder folder;
  const Matrix<float> matrix = many_floats();
  for (const char* name : {"a.npy", "a.csv", "a.fvecs", "a.fbin"}) {
    CAPTURE(name);
    write_matrix(folder.file(name), matrix.view());
    const Matrix<float> again = read_matrix(folder.file(name));
    CHECK(again.rows() == matrix.rows());
    CHECK(bits_of(again) == bits_of(matrix));
  }
  CHECK(folder.entries() == 4);
}

TEST_CASE("a NaN stays one in every format") {
  const TemporaryFolder folder;
  const float nan = NAN;
  for (const char* name : {"a.npy", "a.csv", "a.fvecs", "a.fbin"}) {
    write_matrix(folder.file(name), MatrixView<float>(&nan, 1, 1));
    CHECK(std::isnan(read_matrix(folder.file(name))(0, 0)));
  }
}

TEST_CASE("integers come back from every format, the padding index as -1") {
  const TemporaryFolder folder;
  const std::vector<std::uint32_t> values = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 42};
  for (const char* name : {"a.npy", "a.csv", "a.ivecs", "a.ibin"}) {
    CAPTURE(name);
    write_matrix(folder.file(name), MatrixView<std::uint32_t>(values.data(), 2, 3));
    check_matrix<std::int32_t>(read_integers(folder.file(name)), 2, 3, {0, 1, INT32_MAX, INT32_MIN, -1, 42});
  }
}

TEST_CASE("a view with strides is written as it is seen") {
  const TemporaryFolder folder;
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const MatrixView<float> transposed(values.data(), 3, 2, 1, 3);
  for (const char* name : {"a.npy", "a.csv", "a.fvecs", "a.fbin"}) {
    write_matrix(folder.file(name), transposed);
    check_matrix<float>(read_matrix(folder.file(name)), 3, 2, {1, 4, 2, 5, 3, 6});
  }
}

TEST_CASE("the bytes of a .npy file are those of NumPy") {
  const TemporaryFolder folder;
  const float values[] = {1, 2};
  write_matrix(folder.file("a.npy"), MatrixView<float>(values, 1, 2));
  std::string expected =
      std::string("\x93NUMPY\x01\x00\x76\x00", 10) + "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  expected.resize(127, ' ');
  expected += '\n';
  CHECK(read_bytes(folder.file("a.npy")) == expected + bytes_of(1.0f) + bytes_of(2.0f));
}

TEST_CASE("the text of a .csv file is the shortest") {
  const TemporaryFolder folder;
  const float values[] = {0.1f, 3e38f, 1.0f, -0.0f};
  write_matrix(folder.file("a.csv"), MatrixView<float>(values, 2, 2));
  CHECK(read_bytes(folder.file("a.csv")) == "0.1,3e+38\n1,-0\n");
}

TEST_CASE("a matrix without rows") {
  const TemporaryFolder folder;
  for (const char* name : {"a.npy", "a.fbin"}) {
    write_matrix(folder.file(name), MatrixView<float>(nullptr, 0, 7));
    check_matrix<float>(read_matrix(folder.file(name)), 0, 7, {});
  }
  for (const char* name : {"a.csv", "a.fvecs"})
    check_error([&] { write_matrix(folder.file(name), MatrixView<float>(nullptr, 0, 7)); }, ErrorCode::invalid_argument,
                folder.file(name), "a file of this format cannot hold a matrix without rows");
}

TEST_CASE("what cannot be written is refused, and nothing is left") {
  const TemporaryFolder folder;
  const float value = 1;
  const MatrixView<float> one(&value, 1, 1);
  check_error([&] { write_matrix(folder.file("a.ivecs"), one); }, ErrorCode::unsupported, folder.file("a.ivecs"),
              "floats can be written as .npy, .csv, .fvecs or .fbin");
  const std::uint32_t integer = 1;
  check_error([&] { write_matrix(folder.file("a.fbin"), MatrixView<std::uint32_t>(&integer, 1, 1)); },
              ErrorCode::unsupported, folder.file("a.fbin"), "integers can be written as .npy, .csv, .ivecs or .ibin");
  check_error([&] { write_matrix(folder.file("a.npy"), MatrixView<float>(&value, 1, 0)); }, ErrorCode::invalid_argument,
              folder.file("a.npy"), "a matrix without columns cannot be written");
  check_error([&] { write_matrix(folder.file("a.npy"), MatrixView<float>(nullptr, 1, 1)); },
              ErrorCode::invalid_argument, folder.file("a.npy"), "the matrix has no data");
  check_error([&] { write_matrix(folder.file("no/a.npy"), one); }, ErrorCode::input_output, folder.file("no/a.npy"),
              "cannot be created: No such file or directory");
  std::filesystem::create_directory(folder.file("d.npy"));
  check_error([&] { write_matrix(folder.file("d.npy"), one); }, ErrorCode::input_output, folder.file("d.npy"),
              "exists and is not a regular file");
  CHECK(folder.entries() == 1);
}

#if __has_include(<sys/resource.h>)
TEST_CASE("when the disk refuses, the old file stays and nothing else") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.fbin", "old");
  const std::vector<float> values(1 << 20, 1.0f);

  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  rlimit small = before;
  small.rlim_cur = 100000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  try {
    write_matrix(path, MatrixView<float>(values.data(), 1 << 10, 1 << 10));
  } catch (const Error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  CHECK(message == path + ": cannot be written: File too large");
  CHECK(read_bytes(path) == "old");
  CHECK(folder.entries() == 1);
}
#endif
}  // namespace suite
