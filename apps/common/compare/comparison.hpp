#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "compare/labels.hpp"
#include "compare/measured.hpp"
#include "table.hpp"

namespace proxel::tool {

/// Everything that one `proxel compare` found out.
struct Comparison {
  std::string database_path;
  std::uint64_t rows = 0, dimensions = 0, queries = 0, k = 0;
  Metric metric = Metric::l2sq;
  std::string distance;            ///< the distance's name, where it is no Metric
  std::vector<Measured> measured;  ///< the reference first, where it could be run
  std::optional<Classification> classification;

  std::size_t count(Measured::Outcome outcome) const;
  /// Answers that were compared with the reference.
  std::size_t compared() const;
  /// Whole-call time of the CPU's scan, milliseconds, or 0 where it was not measured.
  double cpu_total() const;
  /// How many times faster than the CPU's scan; NaN where that is not known.
  double speed_up(const Measured& row) const;
  double queries_per_second(const Measured& row) const;

  /// "262,144 × 64, 100 queries, l1, k = 10"
  std::string task() const;
  std::string distance_name() const { return distance.empty() ? std::string(to_string(metric)) : distance; }
  std::string verdict() const;
  /// True where every answer that was compared is identical and nothing failed.
  bool good() const;
  int exit_code() const;

  Table table() const;
  nlohmann::ordered_json json() const;
};

/// What the columns of the table are, one sentence each.
extern const char* const comparison_method;

/// Writes the self-contained page.
void write_report(const Comparison& comparison, const std::string& path, const std::string& command_line,
                  const std::vector<std::string>& notes);

}  // namespace proxel::tool
