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
    clear_status();
    fmt::print("{},{},{},{},{},{},{},{:.6f},{:.6f}\n", row.group, row.name, row.metric, row.n, row.q, row.d, row.k,
               row.median_ms, row.min_ms);
    flush_stdout();
  }
  rows_.push_back(std::move(row));
}

void Recorder::note(const std::string& text) {
  if (std::find(notes_.begin(), notes_.end(), text) != notes_.end()) return;
  if (csv_) {
    clear_status();
    print_to_stderr(text + "\n");
  }
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

void Recorder::finding(const std::string& text) {
  warn(text);
  findings_.push_back(text);
}

void Recorder::looks_for(const std::string& what, const std::string& compared_with) {
  looked_for_ = what;
  compared_with_ = compared_with;
}

void Recorder::take_faults(const Recorder& other) {
  differences_.insert(differences_.end(), other.differences_.begin(), other.differences_.end());
  failures_.insert(failures_.end(), other.failures_.begin(), other.failures_.end());
}

void Recorder::plot(const LineChart& look, const std::string& series, double x, double y) {
  auto chart =
      std::find_if(charts_.begin(), charts_.end(), [&](const LineChart& one) { return one.title == look.title; });
  if (chart == charts_.end()) chart = charts_.insert(charts_.end(), look);
  auto line =
      std::find_if(chart->series.begin(), chart->series.end(), [&](const Series& one) { return one.name == series; });
  if (line == chart->series.end()) line = chart->series.insert(chart->series.end(), Series{series, {}});
  line->points.emplace_back(x, y);
}

namespace {

std::string or_dash(double value) { return value > 0 ? significant(value) : "–"; }

// "expansion 99.8 %, exact 0.2 %"
std::string rung_shares(const std::vector<RungCount>& rungs) {
  std::uint64_t all = 0;
  for (const RungCount& rung : rungs) all += rung.queries;
  std::string text;
  for (const RungCount& rung : rungs)
    text += fmt::format("{}{} {:.4g} %", text.empty() ? "" : ", ", rung.rung,
                        all == 0 ? 0.0 : 100.0 * static_cast<double>(rung.queries) / static_cast<double>(all));
  return text;
}

void add_yardsticks(std::vector<Cell>& cells, const BenchRow& row) {
  const Yardsticks& held = *row.yardsticks;
  if (!held.target_ms)
    cells.emplace_back("–");
  else
    cells.emplace_back(significant(*held.target_ms), row.median_ms <= *held.target_ms ? Style::good : Style::bad);
  cells.emplace_back(held.peer ? fmt::format("{} {}", held.peer->name, significant(held.peer->ms)) : "–");
  cells.emplace_back(held.peer && held.same_device && row.median_ms > 0 ? as_speed_up(held.peer->ms / row.median_ms)
                                                                        : "–");
  for (const double floor : {held.floors.read_ms, held.floors.float_ms, held.floors.matrix_ms})
    cells.emplace_back(or_dash(floor));
  cells.emplace_back(held.scratch_bytes == 0 ? "–" : as_bytes(held.scratch_bytes));
}

}  // namespace

Table Recorder::table() const {
  const bool held =
      std::any_of(rows_.begin(), rows_.end(), [](const BenchRow& row) { return row.yardsticks.has_value(); });
  std::vector<Column> columns = {{"group"},   {"name"},    {"metric"},       {"n", true},  {"q", true},
                                 {"d", true}, {"k", true}, {"median", true}, {"min", true}};
  const std::vector<Column> yardsticks = {{"target", true},     {"published, H200", true}, {"ratio", true},
                                          {"read floor", true}, {"float floor", true},     {"matrix floor", true},
                                          {"scratch", true}};
  if (held) columns.insert(columns.end(), yardsticks.begin(), yardsticks.end());
  columns.push_back({"remark"});
  Table table(columns);
  for (const BenchRow& row : rows_) {
    std::vector<Cell> cells = {row.group,
                               row.name,
                               row.metric,
                               with_separators(row.n),
                               with_separators(row.q),
                               std::to_string(row.d),
                               std::to_string(row.k),
                               significant(row.median_ms),
                               significant(row.min_ms)};
    std::string remark = row.remark;
    if (row.yardsticks) {
      add_yardsticks(cells, row);
      if (!row.yardsticks->rungs.empty())
        remark += fmt::format("{}decided by: {}", remark.empty() ? "" : "; ", rung_shares(row.yardsticks->rungs));
    } else if (held) {
      cells.insert(cells.end(), yardsticks.size(), Cell(""));
    }
    cells.emplace_back(remark);
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace proxel::tool
