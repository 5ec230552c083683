#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "compare/comparison.hpp"
#include "report/report.hpp"
#include "table.hpp"

namespace proxel::tool {

/// Everything that one `proxel compare` found out: a comparison for each kind of search.
struct AllComparisons {
  std::vector<Comparison> of;

  bool several() const { return of.size() != 1; }
  /// One of them: what it says. Of several: "all 29 answers to 6 searches are identical to the bit".
  std::string verdict() const;
  bool good() const;
  /// Of the worst: a difference before a device that failed, and that before a search that had nothing to compare.
  int exit_code() const;

  /// A row per answer; where there are several, the kind of search first, and where an answer has one, its recall.
  Table table() const;
  nlohmann::ordered_json json() const;
};

/// The table of one comparison.
Table table_of(const Comparison& comparison);

/// What the columns of the table are, one sentence each.
extern const char* const comparison_method;

/// Writes the self-contained page.
void write_report(const AllComparisons& all, const std::string& path, const std::string& command_line,
                  const std::vector<std::string>& notes);

}  // namespace proxel::tool
