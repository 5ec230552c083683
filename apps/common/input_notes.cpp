// What is told of an input that was not read as it stands.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "format.hpp"
#include "input.hpp"
#include "json_output.hpp"
#include "notes.hpp"
#include "stream_file.hpp"

namespace proxel::tool {
namespace {

std::string separator_name(char separator) {
  switch (separator) {
    case '\t':
      return "tabs";
    case ' ':
      return "blanks";
    case ',':
      return "commas";
    case ';':
      return "semicolons";
    default:
      return fmt::format("'{}'", separator);
  }
}

std::string plural(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", with_separators(count), count == 1 ? one : many);
}

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i)
    text += (i == 0 ? "" : ", ") + (names[i].empty() ? "\"\"" : names[i]);
  return names.size() > most ? text + ", …" : text;
}

void note_layout(const std::string& file, const DataTable& table) {
  const TextLayout& text = *table.text;
  if (text.header)
    note(fmt::format("{}: the first line names the columns{}; {} between {}: {}", file,
                     text.numbers_as_names ? ", as its numbers count and those below have fractions "
                                             "(--header no: it is a row)"
                                           : "",
                     separator_name(text.delimiter),
                     plural(table.columns.size(), "column that is read", "columns that are read"),
                     some_names(table.columns)));
  if (text.index_left_out)
    note(
        fmt::format("{}: the first column has no name, so it was taken for the rows' index and left "
                    "out (--ids 1 echoes it, --columns 1- reads it as a dimension)",
                    file));
  if (text.names_as_numbers)
    note(
        fmt::format("{}: the first line counts, and was taken for a row (--header yes: it names the "
                    "columns)",
                    file));
  if (text.comment_lines != 0)
    note(fmt::format("{}: {} beginning with # were left out", file, plural(text.comment_lines, "line", "lines")));
}

}  // namespace

void note_table(const std::string& path, const DataTable& table, bool exact) {
  const std::string file = name_of(path);
  nlohmann::ordered_json input = {{"path", path}};
  if (table.text) {
    note_layout(file, table);
    input["header"] = table.text->header;
    input["delimiter"] = std::string(1, table.text->delimiter);
    if (!table.columns.empty()) input["columns"] = table.columns;
  }
  if (table.dropped_rows != 0) {
    note(fmt::format("{}: {} with a missing value left out; indices count the rows that are left", file,
                     plural(table.dropped_rows, "row", "rows")));
    input["dropped_rows"] = table.dropped_rows;
  }
  if (table.replaced_values != 0) {
    note(fmt::format("{}: {} replaced", file,
                     plural(table.replaced_values, "missing value was", "missing values were")));
    input["replaced_values"] = table.replaced_values;
  }
  if (const Rounding& rounding = table.rounding; rounding.values != 0) {
    const std::string what =
        fmt::format("{} that binary32 does not hold; the first, row {}, column {}, is {} and {} {}",
                    plural(rounding.values, "value", "values"), rounding.row, rounding.column + 1, rounding.stored,
                    exact ? "would become" : "became", as_float(rounding.read));
    if (exact) throw Error(ErrorCode::malformed_file, file, what + " (--exact-input)");
    note(fmt::format("{}: {}", file, what));
    input["rounded_values"] = rounding.values;
    input["first_rounded"] = {{"row", rounding.row},
                              {"column", rounding.column},
                              {"stored", rounding.stored},
                              {"read", json_float(rounding.read)}};
  }
  if (input.size() > 1) add_input(input);
}

}  // namespace proxel::tool
