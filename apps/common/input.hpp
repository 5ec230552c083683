#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line.hpp"
#include "proxel/data_table.hpp"
#include "row_names.hpp"
#include "scaling.hpp"

namespace proxel::tool {

/// How files of rows are read, whatever the command does with them.
struct InputOptions {
  TableOptions table;                        ///< but for its rows
  std::optional<std::string> query_columns;  ///< where they are others than the database's
  std::optional<std::string> query_ids;
  bool exact = false;         ///< values that binary32 does not hold are refused
  Scale scale = Scale::none;  ///< fitted to the database by who reads both

  /// Whether a file is read as it stands, so that it may as well be mapped.
  bool as_it_stands() const {
    return table.columns.empty() && table.ids.empty() && table.labels.empty() &&
           table.missing == MissingValues::refuse && scale == Scale::none;
  }
};

/// Adds the options that say how one file is read and which columns of it.
void add_text_options(CLI::App& command, InputOptions& options);

/// Adds those, and what names, labels and scales the rows.
/// @param queries  whether a file of queries is read as well
void add_input_options(CLI::App& command, InputOptions& options, bool queries);

/// What a file of rows holds.
struct InputRows {
  Matrix<float> rows;
  RowNames names;
};

/// Reads a file, a pipe or, of "-", standard input; notes what was decided and what was
/// rounded. Throws Error, also where there is no row, and with InputOptions::exact where
/// a value was rounded.
InputRows read_rows(const std::string& path, const ReadOptions& rows, const InputOptions& options = {});

/// The same of queries to a database of so many dimensions: a vector of as many values is
/// one query, and ids are taken where the file has such a column.
InputRows read_queries(const std::string& path, const ReadOptions& rows, const InputOptions& options,
                       std::uint64_t dimensions);

/// Notes what reading a file decided and changed. Throws Error(malformed_file) where
/// values were rounded and must not be.
void note_table(const std::string& path, const DataTable& table, bool exact);

}  // namespace proxel::tool
