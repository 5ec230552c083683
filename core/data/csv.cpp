#include <fmt/format.h>

#include <type_traits>

#include "data/elements.hpp"
#include "data/fields.hpp"
#include "data/number_text.hpp"
#include "data/parsers.hpp"
#include "data/text_source.hpp"

namespace proxel::data {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Gives the lines that hold fields: not blank ones, nor comments (#).
class RowReader {
 public:
  RowReader(const ByteSource& source, bool gzip) : source_(source), lines_(source, gzip) {}

  std::optional<std::string_view> next() {
    while (auto line = lines_.next()) {
      if (lines_.line_number() == 1 && line->starts_with(byte_order_mark))
        line->remove_prefix(byte_order_mark.size());
      const std::size_t first = line->find_first_not_of(" \t");
      if (first != std::string_view::npos && (*line)[first] != '#') return line;
    }
    return std::nullopt;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    source_.fail(fmt::format("line {}: {}", lines_.line_number(), reason));
  }
  [[noreturn]] void fail(std::uint64_t column, const std::string& reason) const {
    source_.fail(fmt::format("line {}, column {}: {}", lines_.line_number(), column, reason));
  }

 private:
  const ByteSource& source_;
  LineReader lines_;
};

struct Shape {
  Separator separator = Separator::comma;
  bool header = false;
  std::uint64_t columns = 0;
  std::uint64_t rows = 0;  // at most as many as were asked for
};

// The first line is a header if no field of it is a number. A mixture is
// refused: a damaged first row must not vanish as if it were a header.
void examine_first_line(const RowReader& reader, std::string_view line, Shape& shape) {
  shape.separator = guess_separator(line);
  FieldSplitter fields(line, shape.separator);
  std::uint64_t numbers = 0;
  std::uint64_t first_word = 0;
  std::string word;
  while (const auto field = fields.next()) {
    ++shape.columns;
    if (field->unclosed) reader.fail(shape.columns, "the quotation mark is not closed on its line");
    float value = 0;
    if (parse_number(field->text, value) != NumberProblem::not_a_number) {
      ++numbers;
    } else if (first_word == 0) {
      first_word = shape.columns;
      word = printable(field->text);
    }
  }
  shape.header = numbers == 0;
  if (!shape.header && first_word != 0)
    reader.fail(first_word,
                fmt::format("\"{}\" is not a number, though others of its line are", word));
}

// Counts before anything is allocated: the file's content decides, not a promise.
Shape measure(const ByteSource& source, bool gzip, std::uint64_t most_rows) {
  RowReader reader(source, gzip);
  const auto first = reader.next();
  if (!first) source.fail("the file holds no row");
  Shape shape;
  examine_first_line(reader, *first, shape);
  if (!shape.header && most_rows > 0) shape.rows = 1;
  while (shape.rows < most_rows && reader.next()) ++shape.rows;
  return shape;
}

template <typename T>
void parse_row(const RowReader& reader, std::string_view line, const Shape& shape, T* out) {
  FieldSplitter fields(line, shape.separator);
  std::uint64_t column = 0;
  while (const auto field = fields.next()) {
    if (++column > shape.columns) continue;  // counted for the message below
    T& value = out[column - 1];
    if (field->unclosed) reader.fail(column, "the quotation mark is not closed on its line");
    const char* const wanted =
        std::is_integral_v<T> ? "an integer of 32 bits" : "a number";
    switch (parse_number(field->text, value)) {
      case NumberProblem::none: break;
      case NumberProblem::not_a_number:
        if (field->text.empty()) reader.fail(column, "the field is empty");
        reader.fail(column, fmt::format("\"{}\" is not {}", printable(field->text), wanted));
      case NumberProblem::out_of_range:
        reader.fail(column, fmt::format("{} is beyond the range of {}", printable(field->text),
                                        std::is_integral_v<T> ? wanted : "binary32"));
    }
  }
  if (column != shape.columns)
    reader.fail(fmt::format("{} columns, the first line has {}", column, shape.columns));
}

}  // namespace

DataInfo inspect_csv(const ByteSource& source, bool gzip) {
  const Shape shape = measure(source, gzip, UINT64_MAX);
  DataInfo info;
  info.path = source.name();
  info.format = gzip ? "csv.gz" : "csv";
  info.rows = shape.rows;
  info.columns = shape.columns;
  info.type = ElementType::text;
  info.file_bytes = source.size();
  return info;
}

template <typename T>
Matrix<T> read_csv(const ByteSource& source, bool gzip, const ReadOptions& options) {
  const std::uint64_t last = options.max_rows > UINT64_MAX - options.first_row
                                 ? UINT64_MAX
                                 : options.first_row + options.max_rows;
  const Shape shape = measure(source, gzip, last);
  const std::uint64_t rows = rows_to_read(shape.rows, options);
  require_memory(source.name(), rows, shape.columns, sizeof(T), options.memory_limit);
  Matrix<T> matrix(rows, shape.columns);

  RowReader reader(source, gzip);
  if (shape.header) reader.next();
  for (std::uint64_t row = 0; rows != 0 && row < options.first_row + rows; ++row) {
    const auto line = reader.next();
    if (!line)
      throw Error(ErrorCode::input_output, source.name(), "the file changed while it was read");
    if (row >= options.first_row)
      parse_row(reader, *line, shape, matrix.data() + (row - options.first_row) * shape.columns);
  }
  return matrix;
}

template Matrix<float> read_csv(const ByteSource&, bool, const ReadOptions&);
template Matrix<std::int32_t> read_csv(const ByteSource&, bool, const ReadOptions&);

}  // namespace proxel::data
