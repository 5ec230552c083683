#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/byte_source.hpp"
#include "proxel/data_table.hpp"

namespace proxel::data {

/// What the columns of a text file are.
struct CsvLayout {
  TextLayout text;
  std::uint64_t fields = 0;           ///< fields of each line
  std::vector<std::string> names;     ///< names of the fields; empty without a header
  std::vector<std::uint64_t> values;  ///< the fields that are numbers, in the order they are read
  std::optional<std::uint64_t> ids;
  std::optional<std::uint64_t> labels;
  std::uint64_t rows = 0;  ///< at most as many as were asked for

  std::vector<std::string> value_names() const;
  /// "column 2", or with the name that it has: "column 2 (\"height\")".
  std::string place(std::uint64_t field) const;
};

/// The texts that stand for a missing value, the empty one among them.
bool is_missing(std::string_view text);

/// Finds out from the first two lines that hold fields. Throws Error: malformed_file,
/// not_found where an option names a column that is not there, unsupported.
/// @param line    number of the first line, for messages
/// @param second  nothing where the file ends before
CsvLayout find_layout(const ByteSource& source, std::uint64_t line, const std::string& first,
                      const std::optional<std::string>& second, const TableOptions& options);

}  // namespace proxel::data
