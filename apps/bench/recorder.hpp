#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench_row.hpp"
#include "report/plot.hpp"
#include "table.hpp"

namespace proxel::tool {

/// Collects what a suite measures, and prints CSV lines as they come.
class Recorder {
 public:
  explicit Recorder(bool csv);

  void add(BenchRow row);
  /// A fact that belongs to the figures: the seed, how answers were checked.
  /// Printed on stderr, so that stdout holds nothing but the CSV.
  void note(const std::string& text);
  /// An answer that differs from the CPU's, or a device that failed.
  void difference(const std::string& text);
  void failure(const std::string& text);
  /// What a suite that judges times was looking for, with the command that shows it again.
  void finding(const std::string& text);
  /// What findings are, "cliffs", and whose answers the answers are compared with where that is not the CPU.
  void looks_for(const std::string& what, const std::string& compared_with);
  /// What is printed in place of the table of every row.
  void summarize(Table table) { summary_ = std::move(table); }
  /// Takes over the differences and failures of another, which has told of them.
  void take_faults(const Recorder& other);
  /// Adds a point to the chart of that title, which is made on first use from `look`.
  void plot(const LineChart& look, const std::string& series, double x, double y);

  const std::vector<BenchRow>& rows() const { return rows_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& differences() const { return differences_; }
  const std::vector<std::string>& failures() const { return failures_; }
  const std::vector<std::string>& findings() const { return findings_; }
  const std::string& looked_for() const { return looked_for_; }
  const std::string& compared_with() const { return compared_with_; }
  const std::optional<Table>& summary() const { return summary_; }
  const std::vector<LineChart>& charts() const { return charts_; }
  /// Every row; the columns of yardsticks where any row has them.
  Table table() const;

 private:
  bool csv_;
  std::vector<BenchRow> rows_;
  std::vector<std::string> notes_, differences_, failures_, findings_;
  std::string looked_for_, compared_with_ = "the CPU's";
  std::optional<Table> summary_;
  std::vector<LineChart> charts_;
};

}  // namespace proxel::tool
