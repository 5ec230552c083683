#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxel/metric.hpp"
#include "report/plot.hpp"
#include "table.hpp"

namespace proxel::tool {

/// One line of the CSV: group,name,metric,n,q,d,k,median_ms,min_ms.
struct BenchRow {
  std::string group, name, metric;
  std::uint64_t n = 0, q = 0, d = 0, k = 0;
  double median_ms = 0;
  double min_ms = 0;
  /// For people; not in the CSV. "4.31 TB/s, 92 % of the read bandwidth"
  std::string remark;
};

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
  /// Adds a point to the chart of that title, which is made on first use from `look`.
  void plot(const LineChart& look, const std::string& series, double x, double y);

  const std::vector<BenchRow>& rows() const { return rows_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& differences() const { return differences_; }
  const std::vector<std::string>& failures() const { return failures_; }
  const std::vector<LineChart>& charts() const { return charts_; }
  Table table() const;

 private:
  bool csv_;
  std::vector<BenchRow> rows_;
  std::vector<std::string> notes_, differences_, failures_;
  std::vector<LineChart> charts_;
};

}  // namespace proxel::tool
