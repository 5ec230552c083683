#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "data/csv_layout.hpp"
#include "data/elements.hpp"
#include "data/fields.hpp"
#include "data/number_text.hpp"
#include "data/parsers.hpp"
#include "data/row_reader.hpp"

namespace proxel::data {
namespace {

// Counts before anything is allocated: the file's content decides, not a promise.
CsvLayout measure(const ByteSource& source, bool gzip, const TableOptions& options, std::uint64_t most_rows) {
  RowReader reader(source, gzip);
  const auto line = reader.next();
  if (!line) source.fail("the file holds no row");
  const std::string first(*line);
  if (first.find('\0') != std::string::npos)
    source.fail(
        "holds bytes of 0, so it is no text; formats without a signature (.fvecs, .bvecs, .ivecs, .fbin, .u8bin …) are "
        "known "
        "by the end of a file's name alone, not through a pipe");
  const std::uint64_t number = reader.line_number();
  reader.separated_by(options.text.delimiter != 0 ? options.text.delimiter
                                                  : guess_separator(first, options.text.decimal));
  std::optional<std::string> second;
  if (const auto next = reader.next()) second.emplace(*next);

  CsvLayout layout = find_layout(source, number, first, second, options);
  const std::uint64_t known = (layout.text.header ? 0 : 1) + (second ? 1 : 0);
  layout.rows = std::min(known, most_rows);
  if (known <= most_rows)
    while (layout.rows < most_rows && reader.next()) ++layout.rows;
  layout.text.comment_lines = reader.comments();
  return layout;
}

// Reads the fields of one line after the other into the table.
template <typename T>
class RowParser {
 public:
  RowParser(const RowReader& reader, const CsvLayout& layout, const TableOptions& options, DataTable& table)
      : reader_(reader),
        layout_(layout),
        options_(options),
        table_(table),
        places_(static_cast<std::size_t>(layout.fields), unused) {
    for (std::size_t i = 0; i < layout.values.size(); ++i) places_[static_cast<std::size_t>(layout.values[i])] = i;
  }

  /// @param row  from 0, in the file
  void parse(std::string_view line, std::uint64_t row, T* out) {
    FieldSplitter fields(line, layout_.text.delimiter);
    std::uint64_t count = 0;
    bool ends_empty = false;
    while (const auto field = fields.next()) {
      const std::uint64_t column = count++;
      ends_empty = field->text.empty() && !field->quoted;
      if (column >= layout_.fields) continue;  // counted for the message below
      if (field->unclosed) fail(column, "the quotation mark is not closed on its line");
      if (const std::size_t place = places_[static_cast<std::size_t>(column)]; place != unused)
        parse_value(*field, row, column, out[place]);
      if (column == layout_.ids) table_.ids.push_back(field->unescaped());
      if (column == layout_.labels) table_.labels.push_back(field->unescaped());
    }
    if (count != layout_.fields && !(ends_empty && count == layout_.fields + 1))
      reader_.fail(fmt::format("{} columns, the first line has {}", count, layout_.fields));
  }

 private:
  static constexpr std::size_t unused = SIZE_MAX;
  static constexpr bool integers = std::is_integral_v<T>;
  static constexpr const char* wanted = integers ? "an integer of 32 bits" : "a number";

  void parse_value(const Field& field, std::uint64_t row, std::uint64_t column, T& value) {
    switch (parse_text(field.text, value)) {
      case NumberProblem::none:
        break;
      case NumberProblem::not_a_number:
        if (is_missing(field.text)) return take_missing(field, column, value);
        fail(column, fmt::format("\"{}\" is not {}", printable(field.text), wanted));
      case NumberProblem::out_of_range:
        fail(column,
             fmt::format("{} is beyond the range of {}", printable(field.text), integers ? wanted : "binary32"));
    }
    if constexpr (!integers) {
      const char decimal = options_.text.decimal;
      const bool rounded =
          decimal == '.' ? is_rounded(field.text, value) : is_rounded(with_point(field.text, decimal), value);
      if (rounded && table_.rounding.values++ == 0) table_.rounding = {1, row, column, printable(field.text), value};
    }
  }

  NumberProblem parse_text(std::string_view text, T& value) const {
    if constexpr (integers)
      return parse_number(text, value);
    else
      return parse_number(text, value, options_.text.decimal);
  }

  void take_missing(const Field& field, std::uint64_t column, T& value) const {
    if constexpr (!integers) {
      if (options_.missing != MissingValues::refuse) {
        value = std::numeric_limits<T>::quiet_NaN();
        return;
      }
    }
    fail(column, field.text.empty() ? std::string("the field is empty, a missing value")
                                    : fmt::format("\"{}\" is a missing value", printable(field.text)));
  }

  [[noreturn]] void fail(std::uint64_t column, const std::string& reason) const {
    reader_.fail(layout_.place(column), reason);
  }

  const RowReader& reader_;
  const CsvLayout& layout_;
  const TableOptions& options_;
  DataTable& table_;
  std::vector<std::size_t> places_;  // for each field, its place among the values
};

}  // namespace

TableInfo inspect_csv(const ByteSource& source, bool gzip, const TableOptions& options) {
  const CsvLayout layout = measure(source, gzip, options, UINT64_MAX);
  TableInfo info;
  info.path = source.name();
  info.format = gzip ? "csv.gz" : "csv";
  info.rows = layout.rows;
  info.columns = layout.values.size();
  info.type = ElementType::text;
  info.file_bytes = source.size();
  info.column_names = layout.value_names();
  info.text = layout.text;
  return info;
}

template <typename T>
Matrix<T> read_csv(const ByteSource& source, bool gzip, const TableOptions& options, DataTable& table) {
  const ReadOptions& chosen = options.rows;
  const std::uint64_t last =
      chosen.max_rows > UINT64_MAX - chosen.first_row ? UINT64_MAX : chosen.first_row + chosen.max_rows;
  const CsvLayout layout = measure(source, gzip, options, last);
  const std::uint64_t rows = rows_to_read(layout.rows, chosen);
  const std::uint64_t columns = layout.values.size();
  require_memory(source.name(), rows, columns, sizeof(T), chosen.memory_limit);
  Matrix<T> matrix(rows, columns);
  table.columns = layout.value_names();
  table.text = layout.text;

  RowReader reader(source, gzip);
  RowParser<T> parser(reader, layout, options, table);
  auto line = reader.next();
  reader.separated_by(layout.text.delimiter);  // after the first line, as when it was measured
  if (layout.text.header) line = reader.next();
  for (std::uint64_t row = 0; rows != 0 && row < chosen.first_row + rows; ++row) {
    if (!line) throw Error(ErrorCode::input_output, source.name(), "the file changed while it was read");
    if (row >= chosen.first_row) parser.parse(*line, row, matrix.data() + (row - chosen.first_row) * columns);
    line = reader.next();
  }
  return matrix;
}

template Matrix<float> read_csv(const ByteSource&, bool, const TableOptions&, DataTable&);
template Matrix<std::int32_t> read_csv(const ByteSource&, bool, const TableOptions&, DataTable&);

}  // namespace proxel::data
