#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <type_traits>

#include "data/npy_header.hpp"
#include "data/output_file.hpp"
#include "proxel/data.hpp"
#include "proxel/error.hpp"

namespace proxel {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;

// Collects values as little-endian bytes or as text, and writes them in blocks.
class Writer {
 public:
  explicit Writer(const std::string& path) : file_(path) { buffer_.reserve(block_bytes + 64); }

  template <typename T>
  void value(T value) {
    static_assert(sizeof(T) == 4);
    std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    for (int i = 0; i < 4; ++i, bits >>= 8) buffer_.push_back(static_cast<char>(bits & 255));
    flush(block_bytes);
  }
  template <typename T>
  void number(T value, char after) {
    fmt::format_to(std::back_inserter(buffer_), "{}{}", value, after);
    flush(block_bytes);
  }
  void text(std::string_view text) { buffer_.append(text); }

  void finish() {
    flush(0);
    file_.finish();
  }

 private:
  void flush(std::size_t threshold) {
    if (buffer_.size() < threshold) return;
    file_.write(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
  }

  data::OutputFile file_;
  std::string buffer_;
};

template <typename T>
void write_values(Writer& writer, const MatrixView<T>& matrix, bool row_prefix) {
  for (std::uint64_t row = 0; row < matrix.rows; ++row) {
    if (row_prefix) writer.value(static_cast<std::uint32_t>(matrix.columns));
    for (std::uint64_t column = 0; column < matrix.columns; ++column)
      writer.value(matrix(row, column));
  }
}

template <typename T>
void write_csv(Writer& writer, const MatrixView<T>& matrix) {
  for (std::uint64_t row = 0; row < matrix.rows; ++row)
    for (std::uint64_t column = 0; column < matrix.columns; ++column)
      // {} of a float is the shortest text that reads back as the same float.
      writer.number(matrix(row, column), column + 1 < matrix.columns ? ',' : '\n');
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::invalid_argument, path, reason);
}

template <typename T>
void write_any(const std::string& path, const MatrixView<T>& matrix) {
  constexpr std::string_view letter = std::is_integral_v<T> ? "i" : "f";
  const std::string vecs = fmt::format(".{}vecs", letter);
  const std::string bin = fmt::format(".{}bin", letter);
  if (matrix.columns == 0) refuse(path, "a matrix without columns cannot be written");
  if (matrix.data == nullptr && matrix.rows != 0) refuse(path, "the matrix has no data");
  const auto require_rows = [&] {
    if (matrix.rows == 0) refuse(path, "a file of this format cannot hold a matrix without rows");
  };

  if (path.ends_with(".npy")) {
    Writer writer(path);
    writer.text(data::npy_header(std::is_integral_v<T> ? "<u4" : "<f4",
                                 fmt::format("({}, {})", matrix.rows, matrix.columns)));
    write_values(writer, matrix, false);
    writer.finish();
  } else if (path.ends_with(".csv")) {
    require_rows();
    Writer writer(path);
    write_csv(writer, matrix);
    writer.finish();
  } else if (path.ends_with(vecs)) {
    require_rows();
    if (matrix.columns > INT32_MAX) refuse(path, "more columns than 32 bits can count");
    Writer writer(path);
    write_values(writer, matrix, true);
    writer.finish();
  } else if (path.ends_with(bin)) {
    if (matrix.rows > UINT32_MAX || matrix.columns > UINT32_MAX)
      refuse(path, "more rows or columns than 32 bits can count");
    Writer writer(path);
    writer.value(static_cast<std::uint32_t>(matrix.rows));
    writer.value(static_cast<std::uint32_t>(matrix.columns));
    write_values(writer, matrix, false);
    writer.finish();
  } else {
    throw Error(ErrorCode::unsupported, path,
                fmt::format("{} can be written as .npy, .csv, {} or {}",
                            std::is_integral_v<T> ? "integers" : "floats", vecs, bin));
  }
}

}  // namespace

void write_matrix(const std::string& path, const MatrixView<float>& matrix) {
  write_any(path, matrix);
}

void write_matrix(const std::string& path, const MatrixView<std::uint32_t>& matrix) {
  write_any(path, matrix);
}

}  // namespace proxel
