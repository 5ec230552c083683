#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/data.hpp"
#include "proxel/data_table.hpp"
#include "proxel/data_text.hpp"
#include "proxel/error.hpp"

namespace proxel::testing {

/// A folder that vanishes with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<unsigned> counter = 0;
    static const unsigned process = std::random_device{}();
    path_ = std::filesystem::temp_directory_path() /
            ("proxel-data-" + std::to_string(process) + "-" + std::to_string(counter++));
    std::filesystem::create_directory(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The bytes of a number, least significant first (or last).
template <typename T>
std::string bytes_of(T value, bool big_endian = false) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big)) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <typename T>
std::string bytes_of_all(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (const T& value : values) bytes += bytes_of(value, big_endian);
  return bytes;
}

/// A matrix as a list of its values, row by row.
template <typename T>
std::vector<T> values_of(const Matrix<T>& matrix) {
  return {matrix.data(), matrix.data() + matrix.rows() * matrix.columns()};
}

template <typename T>
void check_matrix(const Matrix<T>& matrix, std::uint64_t rows, std::uint64_t columns, const std::vector<T>& values) {
  CHECK(matrix.rows() == rows);
  CHECK(matrix.columns() == columns);
  CHECK(values_of(matrix) == values);
}

/// Runs the action and checks the code and the whole message of its Error.
/// `message` follows "<file>: ".
template <typename Action>
void check_error(const Action& action, ErrorCode code, const std::string& file, const std::string& message) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(to_string(error.code()) == to_string(code));
    CHECK(error.subject() == file);
    CHECK(std::string(error.what()) == file + ": " + message);
    return;
  }
  FAIL_CHECK("no error, though expected: " << message);
}

/// The same for reading a file as floats and for inspecting it, which must agree.
inline void check_malformed(const std::string& file, const std::string& message) {
  check_error([&] { read_matrix(file); }, ErrorCode::malformed_file, file, message);
  check_error([&] { inspect_data(file); }, ErrorCode::malformed_file, file, message);
}

}  // namespace proxel::testing
