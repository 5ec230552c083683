#include "input.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "notes.hpp"
#include "proxel/error.hpp"
#include "stream_file.hpp"

namespace proxel::tool {
namespace {

DataTable read_any(const std::string& path, const TableOptions& options) {
  return read_either(path, [&](const auto&... file) { return read_table(file..., options); });
}

InputRows taken(const std::string& path, const ReadOptions& rows, DataTable table, bool exact) {
  if (table.values.rows() == 0)
    throw Error(ErrorCode::invalid_argument, name_of(path),
                table.dropped_rows != 0 ? fmt::format("has no row without a missing value")
                : rows.first_row == 0   ? std::string("has no rows")
                                        : fmt::format("has no rows after the first {}", rows.first_row));
  note_table(path, table, exact);
  return {std::move(table.values), {std::move(table.ids), std::move(table.labels)}};
}

bool is_column_name(const std::string& reference) {
  return reference != "last" && reference.find_first_not_of("0123456789") != std::string::npos;
}

// What was asked of the database, and a file of queries need not have: names where it has
// none, and columns of ids and labels.
void do_without(TableOptions& table, const TableInfo& info) {
  const auto& names = info.column_names;
  const auto lacks = [&](const std::string& reference) {
    return is_column_name(reference) && std::find(names.begin(), names.end(), reference) == names.end();
  };
  if (!info.text || lacks(table.ids)) table.ids.clear();
  if (lacks(table.labels)) table.labels.clear();
  const bool numbers = table.columns.find_first_not_of("0123456789-, last") == std::string::npos;
  if (names.empty() && !numbers) table.columns.clear();
}

// Its columns as they are found without being told.
template <typename... File>
std::optional<TableInfo> look_at(TableOptions table, const File&... file) try {
  table.ids.clear();
  table.labels.clear();
  table.columns.clear();
  return inspect_table(file..., table);
} catch (const Error&) {
  return std::nullopt;  // reading it tells what is wrong
}

}  // namespace

InputRows read_rows(const std::string& path, const ReadOptions& rows, const InputOptions& options) {
  TableOptions table = options.table;
  table.rows = rows;
  return taken(path, rows, read_any(path, table), options.exact);
}

InputRows read_queries(const std::string& path, const ReadOptions& rows, const InputOptions& options,
                       std::uint64_t dimensions) {
  TableOptions table = options.table;
  table.rows = rows;
  const bool as_database = !table.columns.empty() || !table.ids.empty() || !table.labels.empty();
  if (options.query_columns) table.columns = *options.query_columns;
  if (options.query_ids) table.ids = *options.query_ids;
  DataTable read = read_either(path, [&](const auto&... file) {
    if (const auto info = as_database ? look_at(table, file...) : std::nullopt) {
      TableOptions without = table;
      do_without(without, *info);
      if (!options.query_columns) table.columns = without.columns;
      if (!options.query_ids) table.ids = without.ids;
      table.labels = without.labels;
    }
    return read_table(file..., table);
  });
  if (read.one_dimensional && dimensions != 1 && read.values.rows() == dimensions) {
    Matrix<float> query(1, dimensions);
    std::copy_n(read.values.data(), dimensions, query.data());
    read.values = std::move(query);
    note(fmt::format("{}: a vector of {} values, taken for one query", name_of(path), dimensions));
  }
  return taken(path, rows, std::move(read), options.exact);
}

}  // namespace proxel::tool
