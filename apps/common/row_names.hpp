#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace proxel::tool {

/// What a file calls its rows, by the columns that --ids and --labels name.
/// Texts are as they stand in the file, without their quotation marks: any bytes
/// but line ends, so an output quotes or escapes them by its own rules.
struct RowNames {
  std::vector<std::string> ids;     ///< one for each row that was read; empty: none were asked for
  std::vector<std::string> labels;  ///< the same, of --labels

  bool has_ids() const { return !ids.empty(); }
  bool has_labels() const { return !labels.empty(); }
  /// The id of a row, or its number from 0 where no ids were asked for.
  std::string id(std::uint64_t row) const {
    return ids.empty() ? std::to_string(row) : ids[static_cast<std::size_t>(row)];
  }
};

}  // namespace proxel::tool
