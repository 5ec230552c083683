#include "support.hpp"

using namespace proxel;
using namespace proxel::testing;

namespace {

Matrix<float> example() {
  Matrix<float> matrix(3, 5);
  for (std::uint64_t i = 0; i < 15; ++i) matrix.data()[i] = static_cast<float>(i) * 0.5f - 2;
  return matrix;
}

ErrorCode code_of_mapping(const std::string& path) {
  try {
    MappedMatrix mapped(path);
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find(path) == 0);
    return error.code();
  }
  FAIL("the file was mapped");
  return {};
}

}  // namespace

TEST_SUITE("mapped") {

TEST_CASE("a mapped file has the values that reading gives") {
  const TemporaryFolder folder;
  const Matrix<float> matrix = example();
  for (const char* name : {"a.npy", "a.fvecs", "a.fbin"}) {
    CAPTURE(name);
    write_matrix(folder.file(name), matrix.view());
    MappedMatrix first(folder.file(name));
    const MappedMatrix mapped = std::move(first);
    REQUIRE(mapped.view().rows == 3);
    REQUIRE(mapped.view().columns == 5);
    for (std::uint64_t row = 0; row < 3; ++row)
      for (std::uint64_t column = 0; column < 5; ++column) CHECK(mapped.view()(row, column) == matrix(row, column));
    CHECK(mapped.view().slice(1, 2)(1, 4) == matrix(2, 4));
  }
}

TEST_CASE("columns of a Fortran array are mapped as they lie") {
  const TemporaryFolder folder;
  std::string header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";
  header.resize(117, ' ');
  header += '\n';
  std::string file = "\x93NUMPY\x01";
  file += std::string(1, '\0') + bytes_of(std::uint16_t{118}) + header;
  for (const float value : {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}) file += bytes_of(value);
  const MappedMatrix mapped(folder.write("a.npy", file));
  CHECK(mapped.view()(0, 1) == 3.0f);
  CHECK(mapped.view()(1, 2) == 6.0f);
}

TEST_CASE("bytes are mapped in their own type") {
  const TemporaryFolder folder;
  const std::string rows = bytes_of(3) + "abc" + bytes_of(3) + "def";
  for (const auto& file :
       {std::pair<const char*, std::string>{"a.bvecs", rows}, {"a.u8bin", bytes_of(2u) + bytes_of(3u) + "abcdef"}}) {
    CAPTURE(file.first);
    const MappedMatrix mapped(folder.write(file.first, file.second));
    CHECK(mapped.type() == ElementType::uint8);
    const ElementsView elements = mapped.elements().slice(1, 1);
    REQUIRE(elements.columns == 3);
    CHECK(std::string(static_cast<const char*>(elements.data), 3) == "def");
    CHECK_THROWS_AS(mapped.view(), Error);
  }
}

TEST_CASE("what cannot be mapped says why, and is told from what is wrong") {
  const TemporaryFolder folder;
  CHECK(code_of_mapping(folder.file("missing.npy")) == ErrorCode::not_found);
  CHECK(code_of_mapping(folder.write("rows.csv", "1,2\n")) == ErrorCode::unsupported);
  CHECK(code_of_mapping(folder.write("a.ibin", bytes_of(1u) + bytes_of(1u) + bytes_of(7))) == ErrorCode::unsupported);
  CHECK(code_of_mapping(folder.write("short.fbin", bytes_of(2u) + bytes_of(2u))) == ErrorCode::malformed_file);
  // The second row says that it has another dimension.
  const std::string rows = bytes_of(1) + bytes_of(0.5f) + bytes_of(2) + bytes_of(0.5f);
  CHECK(code_of_mapping(folder.write("ragged.fvecs", rows)) == ErrorCode::malformed_file);
}

}  // namespace suite
