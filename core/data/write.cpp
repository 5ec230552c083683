#include <fmt/format.h>

#include <type_traits>

#include "data/block_writer.hpp"
#include "data/npy_header.hpp"
#include "data/output_file.hpp"
#include "proxel/data.hpp"
#include "proxel/error.hpp"

namespace proxel {
namespace {

// A file that numbers are written to as bytes or as text.
class Writer : public data::BlockWriter {
 public:
  explicit Writer(const std::string& path)
      : BlockWriter([this](std::span<const std::byte> bytes) { file_.write(bytes); }), file_(path) {}

  template <typename T>
  void number(T value, char after) {
    digits_.clear();
    fmt::format_to(std::back_inserter(digits_), "{}{}", value, after);
    text(digits_);
  }

  void finish() {
    flush();
    file_.finish();
  }

 private:
  data::OutputFile file_;
  std::string digits_;
};

template <typename T>
void write_values(Writer& writer, const MatrixView<T>& matrix, bool row_prefix) {
  for (std::uint64_t row = 0; row < matrix.rows; ++row) {
    if (row_prefix) writer.value(static_cast<std::uint32_t>(matrix.columns));
    for (std::uint64_t column = 0; column < matrix.columns; ++column) writer.value(matrix(row, column));
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
    writer.text(
        data::npy_header(std::is_integral_v<T> ? "<u4" : "<f4", fmt::format("({}, {})", matrix.rows, matrix.columns)));
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
                fmt::format("{} can be written as .npy, .csv, {} or {}", std::is_integral_v<T> ? "integers" : "floats",
                            vecs, bin));
  }
}

}  // namespace

void write_matrix(const std::string& path, const MatrixView<float>& matrix) { write_any(path, matrix); }

void write_matrix(const std::string& path, const MatrixView<std::uint32_t>& matrix) { write_any(path, matrix); }

}  // namespace proxel
