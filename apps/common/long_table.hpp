#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "answer_names.hpp"
#include "command_line.hpp"
#include "outputs.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// How every long table begins.
inline constexpr std::string_view long_table_heading = "query,rank,id,distance";

/// Which columns stand behind these.
struct LabelColumns {
  bool of_queries = false;  ///< query_label
  bool of_rows = false;     ///< label
};

/// Neighbours as comma-separated values, one in a line: query, rank from 1, id, distance
/// in the fewest digits that read back as the same binary32 value; then the labels that
/// there are. Slots for which there is no neighbour have no line.
class LongTable {
 public:
  /// Begins the table. Without a file (an empty path) nothing is written anywhere.
  /// @param path  "-": stdout; compressed where it ends in .gz
  /// @param outputs  outlives the table; it has the file planned, see plan_table()
  LongTable(Outputs& outputs, const std::string& path, LabelColumns labels = {});
  ~LongTable();

  void add(std::string_view query, std::uint64_t rank, std::string_view id, float distance,
           std::string_view query_label = {}, std::string_view label = {});
  /// All neighbours of all queries, by what their files call them.
  void add(const Neighbors& found, const AnswerNames& names);
  void add(const RangeNeighbors& found, const AnswerNames& names);

  /// Hands on to stdout what there is. Throws CannotWrite.
  void flush();
  /// Ends the file, which Outputs::commit() then gives its name. Throws CannotWrite.
  void close();

 private:
  class File;
  void put(std::string_view text);

  std::string path_;
  LabelColumns labels_;
  std::string waiting_;
  std::unique_ptr<File> file_;  // none: stdout
};

/// What --table says of a search that is written whole.
template <typename Found>
void write_table(Outputs& outputs, const std::string& path, const Found& found, const AnswerNames& names) {
  if (path.empty()) return;
  LongTable table(outputs, path, {names.queries.has_labels(), names.rows.has_labels()});
  table.add(found, names);
  table.close();
}

void add_table_option(CLI::App& command, std::string& path);
/// Throws as Outputs::plan(), and Error(invalid_argument) where stdout is for JSON.
void plan_table(Outputs& outputs, const std::string& path, bool json);

}  // namespace proxel::tool
