#include "check.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "data/parsers.hpp"
#include "promises.hpp"
#include "proxel/data_text.hpp"

namespace proxel::fuzzing {
namespace {

constexpr std::uint64_t memory_limit = std::uint64_t{1} << 24;

// What is read beside the numbers is about the same rows and columns.
void check_beside(const DataTable& table, const TableOptions& options, std::uint64_t rows, std::uint64_t columns) {
  require(table.ids.size() == (options.ids.empty() ? 0 : rows), "every row has an id");
  require(table.labels.size() == (options.labels.empty() ? 0 : rows), "every row has a label");
  require(table.columns.empty() || table.columns.size() == columns, "every column has a name");
  require(table.rounding.values <= rows * columns, "no more values are rounded than there are");
  if (table.rounding.values == 0) return;
  require(table.rounding.row >= options.rows.first_row && table.rounding.row - options.rows.first_row < rows,
          "the first rounded value is in a row that was read");
}

template <typename T>
void check_reading(const data::ByteSource& source, const data::FileName& name, TableOptions options,
                   const std::optional<TableInfo>& info) {
  options.rows = {.memory_limit = memory_limit};
  DataTable beside;
  const auto whole = attempt(name.path, [&] { return data::read<T>(source, name, options, beside); });
  if (!whole) return;
  require(info.has_value(), "what can be read can be inspected");
  require(info->rows == whole->rows() && info->columns == whole->columns(),
          "inspecting and reading agree on the shape");
  require(info->column_names == beside.columns, "inspecting and reading agree on the names");
  require(whole->rows() * whole->columns() * sizeof(T) <= memory_limit, "the memory limit holds");
  check_beside(beside, options, whole->rows(), whole->columns());

  options.rows = {.first_row = whole->rows() / 3, .max_rows = 2, .memory_limit = memory_limit};
  DataTable beside_part;
  const auto part = attempt(name.path, [&] { return data::read<T>(source, name, options, beside_part); });
  require(part.has_value(), "a part of a readable file is readable");
  const std::uint64_t first = options.rows.first_row;
  const std::uint64_t rows = std::min<std::uint64_t>(2, whole->rows() - first);
  require(part->rows() == rows && part->columns() == whole->columns(), "a part has its shape");
  const std::uint64_t values = rows * whole->columns();
  require(values == 0 || std::memcmp(part->data(), whole->data() + first * whole->columns(),
                                     static_cast<std::size_t>(values) * sizeof(T)) == 0,
          "a part equals the same rows of the whole");
  check_beside(beside_part, options, rows, whole->columns());
}

}  // namespace

void check_parser(const std::string& file_name, const std::uint8_t* bytes, std::size_t size,
                  const TableOptions& options) {
  const data::FileName name = data::parse_file_name(file_name);
  const data::MemorySource source(name.path, std::as_bytes(std::span(bytes, size)));
  const auto info = attempt(name.path, [&] { return data::inspect(source, name, options); });
  check_reading<float>(source, name, options, info);
  check_reading<std::int32_t>(source, name, options, info);
}

void check_lines(const std::uint8_t* bytes, std::size_t size) {
  const std::string name = "words";
  const auto text = attempt(name, [&] { return read_text_lines(std::as_bytes(std::span(bytes, size)), name); });
  if (!text) return;
  for (const std::string& line : text->lines) {
    require(!line.empty(), "no line is empty");
    require(line.find('\n') == std::string::npos, "a line has no end inside");
  }
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < text->lines.size(); ++i) {
    const std::uint64_t number = text->line_number(i);
    require(number > before, "lines are numbered in their order");
    require(!std::ranges::binary_search(text->empty, number), "a line that is given is not empty");
    before = number;
    if (text->empty.size() > 64) break;  // each number walks through them
  }
}

}  // namespace proxel::fuzzing
