#include <fmt/format.h>

#include "compare/all_comparisons.hpp"
#include "format.hpp"
#include "report/plot.hpp"
#include "trace.hpp"

namespace proxel::tool {
namespace {

std::string row_name(const Measured& row) { return fmt::format("{} {}", row.device.id, row.shown_method()); }

void add_plots(const Comparison& comparison, Report& report) {
  BarChart times{"Time of one search call",
                 "ms",
                 {"upload of the queries", "compute", "read-back of the results", "whole call"},
                 {}};
  BarChart speed{fmt::format("Speed-up over the CPU's {}", comparison.baseline), "×", {"times as fast as the CPU"}, {}};
  for (const Measured& row : comparison.measured) {
    if (!row.timed()) continue;
    times.bars.push_back({row_name(row), {row.upload, row.compute, row.readback, row.total}});
    speed.bars.push_back({row_name(row), {comparison.speed_up(row)}});
  }
  if (times.bars.empty()) return;
  report.figure(to_svg(times), fmt::format("Milliseconds for {} queries, shorter is better. Every panel has a "
                                           "scale of its own; the numbers stand in the table as well.",
                                           with_separators(comparison.queries)));
  if (comparison.cpu_total() > 0) report.figure(to_svg(speed), "Whole call against whole call, longer is better.");
}

void add_classification(const Classification& classes, Report& report) {
  report.heading("Held-out rows classified by their neighbours");
  report.paragraph(
      fmt::format("{} of {} queries get the right label from the majority of their neighbours: accuracy "
                  "{:.2f} %. Always answering the most frequent label would reach {:.2f} %.",
                  with_separators(classes.correct), with_separators(classes.queries), 100 * classes.accuracy(),
                  100 * classes.majority_share()));
  report.table(classes.table());
}

void add_comparison(const Comparison& comparison, bool several, Report& report) {
  if (several) {
    report.heading(fmt::format("{}: {}", comparison.what, comparison.task()));
    report.verdict(comparison.good(), comparison.verdict());
  }
  add_plots(comparison, report);
  if (comparison.classification) add_classification(*comparison.classification, report);
  for (const Measured& row : comparison.measured) {
    if (row.passes.empty()) continue;
    report.heading(fmt::format("Passes of {}{}", several ? comparison.what + " on " : "", row_name(row)));
    report.table(trace_table(row.passes));
  }
}

}  // namespace

void write_report(const AllComparisons& all, const std::string& path, const std::string& command_line,
                  const std::vector<std::string>& notes) {
  Report report("proxel compare: " + (all.several() ? fmt::format("{} searches", all.of.size()) : all.of[0].task()));
  report.verdict(all.good(), all.verdict());
  report.table(all.table());
  for (const Comparison& comparison : all.of) add_comparison(comparison, all.several(), report);
  report.heading("What was measured");
  for (const Comparison& comparison : all.of)
    report.paragraph(fmt::format("Database {}: {}.", comparison.database_path, comparison.task()));
  for (const Comparison& comparison : all.of)
    for (const std::string& line : comparison.divisions()) report.paragraph(line);
  for (const std::string& note : notes) report.paragraph(note);
  report.paragraph(comparison_method);
  report.origin(command_line);
  report.write(path);
}

}  // namespace proxel::tool
