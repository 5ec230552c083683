#include "bench/recorder.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "console.hpp"
#include "format.hpp"

namespace proxel::tool {

Recorder::Recorder(bool csv) : csv_(csv) {
  if (csv_) fmt::print("group,name,metric,n,q,d,k,median_ms,min_ms\n");
}

void Recorder::add(BenchRow row) {
  if (csv_) {
    fmt::print("{},{},{},{},{},{},{},{:.6f},{:.6f}\n", row.group, row.name, row.metric, row.n,
               row.q, row.d, row.k, row.median_ms, row.min_ms);
    std::fflush(stdout);
  }
  rows_.push_back(std::move(row));
}

void Recorder::note(const std::string& text) {
  if (std::find(notes_.begin(), notes_.end(), text) != notes_.end()) return;
  if (csv_) fmt::print(stderr, "{}\n", text);
  notes_.push_back(text);
}

void Recorder::difference(const std::string& text) {
  warn("the answer differs: " + text);
  differences_.push_back(text);
}

void Recorder::failure(const std::string& text) {
  warn(text);
  failures_.push_back(text);
}

void Recorder::plot(const LineChart& look, const std::string& series, double x, double y) {
  auto chart = std::find_if(charts_.begin(), charts_.end(),
                            [&](const LineChart& one) { return one.title == look.title; });
  if (chart == charts_.end()) chart = charts_.insert(charts_.end(), look);
  auto line = std::find_if(chart->series.begin(), chart->series.end(),
                           [&](const Series& one) { return one.name == series; });
  if (line == chart->series.end())
    line = chart->series.insert(chart->series.end(), Series{series, {}});
  line->points.emplace_back(x, y);
}

Table Recorder::table() const {
  Table table({{"group"}, {"name"}, {"metric"}, {"n", true}, {"q", true}, {"d", true}, {"k", true},
               {"median", true}, {"min", true}, {"remark"}});
  for (const BenchRow& row : rows_)
    table.add({row.group, row.name, row.metric, with_separators(row.n), with_separators(row.q),
               std::to_string(row.d), std::to_string(row.k), significant(row.median_ms),
               significant(row.min_ms), row.remark});
  return table;
}

}  // namespace proxel::tool
