#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "data/block_writer.hpp"
#include "data/elements.hpp"
#include "data/npy_header.hpp"
#include "data/output_file.hpp"
#include "proxel/data.hpp"
#include "proxel/data_stored.hpp"
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

void require_shape(const std::string& path, const void* data, std::uint64_t rows, std::uint64_t columns) {
  if (columns == 0) refuse(path, "a matrix without columns cannot be written");
  if (data == nullptr && rows != 0) refuse(path, "the matrix has no data");
}

void require_counted(const std::string& path, std::uint64_t count, std::uint64_t most) {
  if (count > most) refuse(path, "more rows or columns than 32 bits can count");
}

std::string shape_of(std::uint64_t rows, std::uint64_t columns) { return fmt::format("({}, {})", rows, columns); }

constexpr std::string_view vecs_ending(bool integers) { return integers ? ".ivecs" : ".fvecs"; }
constexpr std::string_view bin_ending(bool integers) { return integers ? ".ibin" : ".fbin"; }

template <typename T>
void write_any(const std::string& path, const MatrixView<T>& matrix) {
  constexpr bool integers = std::is_integral_v<T>;
  check_matrix_file(path, integers);
  require_shape(path, matrix.data, matrix.rows, matrix.columns);
  const auto require_rows = [&] {
    if (matrix.rows == 0) refuse(path, "a file of this format cannot hold a matrix without rows");
  };

  if (path.ends_with(".npy")) {
    Writer writer(path);
    writer.text(data::npy_header(integers ? "<u4" : "<f4", shape_of(matrix.rows, matrix.columns)));
    write_values(writer, matrix, false);
    writer.finish();
  } else if (path.ends_with(".csv")) {
    require_rows();
    Writer writer(path);
    write_csv(writer, matrix);
    writer.finish();
  } else if (path.ends_with(vecs_ending(integers))) {
    require_rows();
    require_counted(path, matrix.columns, INT32_MAX);
    Writer writer(path);
    write_values(writer, matrix, true);
    writer.finish();
  } else {
    require_counted(path, std::max(matrix.rows, matrix.columns), UINT32_MAX);
    Writer writer(path);
    writer.value(static_cast<std::uint32_t>(matrix.rows));
    writer.value(static_cast<std::uint32_t>(matrix.columns));
    write_values(writer, matrix, false);
    writer.finish();
  }
}

template <typename T>
void write_any_list(const std::string& path, std::span<const T> values) {
  if (!path.ends_with(".npy")) throw Error(ErrorCode::unsupported, path, "a list is written as .npy alone");
  Writer writer(path);
  writer.text(data::npy_header(std::is_integral_v<T> ? "<u4" : "<f4", fmt::format("({},)", values.size())));
  if (!values.empty()) write_values(writer, MatrixView<T>(values.data(), 1, values.size()), false);
  writer.finish();
}

void write_stored(const std::string& path, const ElementsView& rows) {
  const bool bytes = rows.type == ElementType::uint8;
  const std::string_view ending = bytes ? ".u8bin" : rows.type == ElementType::float16 ? ".f16bin" : ".i8bin";
  const bool vecs = bytes && path.ends_with(".bvecs"), bin = path.ends_with(ending);
  if (!vecs && !bin && !path.ends_with(".npy"))
    throw Error(ErrorCode::unsupported, path,
                fmt::format("rows of {} can be written as .npy{} or {}", to_string(rows.type), bytes ? ", .bvecs" : "",
                            ending));
  require_shape(path, rows.data, rows.rows, rows.columns);
  if (vecs && rows.rows == 0) refuse(path, "a file of this format cannot hold a matrix without rows");
  if (vecs) require_counted(path, rows.columns, INT32_MAX);
  if (bin) require_counted(path, std::max(rows.rows, rows.columns), UINT32_MAX);
  Writer writer(path);
  if (bin) {
    writer.value(static_cast<std::uint32_t>(rows.rows));
    writer.value(static_cast<std::uint32_t>(rows.columns));
  } else if (!vecs) {
    const bool half = rows.type == ElementType::float16;
    const std::string_view half_type = std::endian::native == std::endian::little ? "<f2" : ">f2";
    writer.text(data::npy_header(half ? half_type : (bytes ? "|u1" : "|i1"), shape_of(rows.rows, rows.columns)));
  }
  const std::uint64_t row_bytes = rows.columns * data::element_bytes(rows.type);
  for (std::uint64_t row = 0; row < rows.rows; ++row) {
    if (vecs) writer.value(static_cast<std::uint32_t>(rows.columns));
    writer.text({static_cast<const char*>(rows.slice(row, 1).data), row_bytes});
  }
  writer.finish();
}

}  // namespace

void write_rows(const std::string& path, const ElementsView& rows) {
  switch (rows.type) {
    case ElementType::float32:
      return write_any(path, MatrixView<float>(static_cast<const float*>(rows.data), rows.rows, rows.columns,
                                               rows.row_bytes / sizeof(float), 1));
    case ElementType::float16:
    case ElementType::int8:
    case ElementType::uint8:
      return write_stored(path, rows);
    default:
      throw Error(
          ErrorCode::invalid_argument, path,
          fmt::format("rows of {} are not written; float32, float16, int8 and uint8 are", to_string(rows.type)));
  }
}

void check_matrix_file(const std::string& path, bool integers) {
  const std::string_view vecs = vecs_ending(integers), bin = bin_ending(integers);
  if (!path.ends_with(".npy") && !path.ends_with(".csv") && !path.ends_with(vecs) && !path.ends_with(bin))
    throw Error(ErrorCode::unsupported, path,
                fmt::format("{} can be written as .npy, .csv, {} or {}", integers ? "integers" : "floats", vecs, bin));
}

void write_list(const std::string& path, std::span<const float> values) { write_any_list(path, values); }
void write_list(const std::string& path, std::span<const std::uint32_t> values) { write_any_list(path, values); }

void write_matrix(const std::string& path, const MatrixView<float>& matrix) { write_any(path, matrix); }

void write_matrix(const std::string& path, const MatrixView<std::uint32_t>& matrix) { write_any(path, matrix); }

}  // namespace proxel
