#include "bench/papers/page.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "bench/outcome.hpp"
#include "bench/papers/papers.hpp"
#include "bench/papers/rows.hpp"
#include "exit_code.hpp"
#include "format.hpp"
#include "report/plot.hpp"

namespace proxel::tool::papers {
namespace {

const Quantity& quantity_of(const Exhibit& exhibit, const std::string& name) {
  return *std::find_if(exhibit.quantities.begin(), exhibit.quantities.end(),
                       [&](const Quantity& one) { return one.name == name; });
}

// Who a row is of, for a legend.
std::string who(const Row& row) {
  return row.of_paper ? fmt::format("the paper: {}, {}{}", row.method, row.device,
                                    row.source == Source::prose ? " (from its prose)" : "")
                      : fmt::format("{}, {} ({})", row.method, row.device, to_string(row.role));
}

// The paper's first, then its method here, rivals, baselines, today's best.
std::vector<const Row*> in_order(const Exhibit& exhibit, const Quantity& quantity) {
  std::vector<const Row*> rows;
  for (const Row& row : exhibit.rows)
    if (row.quantity == quantity.name) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) {
    return std::tuple(!a->of_paper, a->role, a->x) < std::tuple(!b->of_paper, b->role, b->x);
  });
  return rows;
}

std::string titled(const Exhibit& exhibit, const Quantity& quantity, const std::string& curve) {
  return fmt::format("{}: {}{}{}", full_name(exhibit), quantity.name, curve.empty() ? "" : ", ", curve);
}

std::string bars(const Exhibit& exhibit, const Quantity& quantity) {
  BarChart chart{titled(exhibit, quantity, ""), quantity.unit, exhibit.categories, {}};
  for (const Row* row : in_order(exhibit, quantity)) {
    const std::string_view where = row->device == host ? to_string(row->role) : row->device;
    const std::string label = row->of_paper ? "paper: " + row->device : fmt::format("{}, {}", where, row->method);
    auto bar = std::find_if(chart.bars.begin(), chart.bars.end(), [&](const Bar& one) { return one.label == label; });
    if (bar == chart.bars.end())
      bar = chart.bars.insert(chart.bars.end(), {label, std::vector<double>(exhibit.categories.size(), -1)});
    bar->parts.at(static_cast<std::size_t>(row->x)) = row->y;
  }
  return chart.bars.empty() ? "" : to_svg(chart);
}

std::string lines(const Exhibit& exhibit, const Quantity& quantity, const std::string& curve) {
  const std::string unit = quantity.unit.empty() ? quantity.name : quantity.name + ", " + quantity.unit;
  LineChart chart{titled(exhibit, quantity, curve), exhibit.x_label, unit, exhibit.log_x, quantity.log_y, {}};
  for (const Row* row : in_order(exhibit, quantity)) {
    if (row->curve != curve || (quantity.log_y && row->y <= 0)) continue;
    const std::string name = who(*row);
    auto series =
        std::find_if(chart.series.begin(), chart.series.end(), [&](const Series& one) { return one.name == name; });
    if (series == chart.series.end()) series = chart.series.insert(chart.series.end(), Series{name, {}});
    series->points.emplace_back(row->x, row->y);
  }
  return to_svg(chart);
}

void add_charts(Report& report, const Exhibit& exhibit) {
  for (const Quantity& quantity : exhibit.quantities) {
    if (!quantity.charted) continue;
    if (!exhibit.categories.empty()) {
      report.figure(bars(exhibit, quantity), titled(exhibit, quantity, ""));
      continue;
    }
    std::vector<std::string> curves;
    for (const Row& row : exhibit.rows)
      if (row.quantity == quantity.name && std::find(curves.begin(), curves.end(), row.curve) == curves.end())
        curves.push_back(row.curve);
    for (const std::string& curve : curves)
      report.figure(lines(exhibit, quantity, curve), titled(exhibit, quantity, curve));
  }
}

// A line for each curve, a column for each x.
Table pivot(const Exhibit& exhibit, const Quantity& quantity) {
  const std::vector<const Row*> rows = in_order(exhibit, quantity);
  std::set<double> places;
  for (const Row* row : rows) places.insert(row->x);
  std::vector<Column> columns = {{"who"}, {"curve"}};
  for (const double x : places)
    columns.push_back(
        {exhibit.categories.empty() ? fmt::format("{:g}", x) : exhibit.categories.at(static_cast<std::size_t>(x)),
         true});
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, std::map<double, double>> values;
  for (const Row* row : rows) {
    const std::pair key{who(*row), row->curve};
    if (!values.contains(key)) order.push_back(key);
    values[key][row->x] = row->y;
  }
  Table table(columns);
  for (const auto& key : order) {
    std::vector<Cell> cells = {key.first, key.second};
    for (const double x : places)
      cells.emplace_back(values[key].contains(x) ? significant(values[key][x]) : std::string("–"));
    table.add(std::move(cells));
  }
  return table;
}

std::string number_text(const Exhibit& exhibit, const Claim& claim) {
  const bool ratio = claim.combine == Combine::growth || claim.combine == Combine::spread;
  const std::string unit = ratio ? "×" : quantity_of(exhibit, claim.quantity).unit;
  return fmt::format("{} {}{}{}", claim.direction == Direction::at_least ? "≥" : "≤", significant(claim.number),
                     unit.empty() ? "" : " ", unit);
}

std::string rule_text(const Claim& claim) {
  return fmt::format("{}, {}{}", claim.quantity, to_string(claim.combine),
                     claim.method.empty() ? "" : fmt::format(", of {}", claim.method));
}

Style style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
    case Verdict::holds_by_more:
      return Style::good;
    case Verdict::does_not_hold:
      return Style::bad;
    case Verdict::not_measured:
      break;
  }
  return Style::faint;
}

void add_exhibit(Report& report, const Exhibit& exhibit, const std::vector<Judged>& devices) {
  report.subheading(full_name(exhibit));
  report.paragraph(exhibit.caption);
  report.paragraph("Data here: " + exhibit.data);
  for (const std::string& text : exhibit.absent) report.paragraph("Absent: " + text + ".");
  Table table({{"the paper says"}, {"number"}, {"made of"}, {"device"}, {"measured", true}, {"verdict"}, {"why"}});
  for (const Judgement& judged : judge(exhibit, devices))
    table.add({judged.claim->words, number_text(exhibit, *judged.claim), rule_text(*judged.claim), judged.device,
               judged.verdict == Verdict::not_measured ? "–" : significant(judged.measured),
               Cell(std::string(to_string(judged.verdict)), style_of(judged.verdict)), judged.why});
  report.table(table);
  add_charts(report, exhibit);
  for (const Quantity& quantity : exhibit.quantities) {
    const Table values = pivot(exhibit, quantity);
    if (values.rows().empty()) continue;
    report.paragraph(fmt::format("{}{} over {}:", quantity.name,
                                 quantity.unit.empty() ? "" : fmt::format(" ({})", quantity.unit),
                                 exhibit.categories.empty() ? exhibit.x_label : "data sets"));
    report.table(values);
  }
}

nlohmann::ordered_json to_json(const Row& row) {
  return {{"whose", row.of_paper ? "paper" : "proxel"},
          {"role", to_string(row.role)},
          {"device", row.device},
          {"method", row.method},
          {"curve", row.curve},
          {"x", row.x},
          {"quantity", row.quantity},
          {"y", row.y},
          {"source", to_string(row.source)}};
}

}  // namespace

std::string full_name(const Exhibit& exhibit) {
  return fmt::format("{}, {}", paper_named(exhibit.paper).title, exhibit.name);
}

Table verdicts(const std::vector<Exhibit>& exhibits, const std::vector<Judged>& devices) {
  Table table({{"exhibit"}, {"device"}, {"verdict"}, {"measured", true}, {"number"}, {"the paper says"}});
  for (const Exhibit& exhibit : exhibits)
    for (const Judgement& judged : judge(exhibit, devices))
      table.add({full_name(exhibit), judged.device,
                 Cell(std::string(to_string(judged.verdict)), style_of(judged.verdict)),
                 judged.verdict == Verdict::not_measured ? "–" : significant(judged.measured),
                 number_text(exhibit, *judged.claim), judged.claim->words});
  return table;
}

nlohmann::ordered_json to_json(const std::vector<Exhibit>& exhibits, const std::vector<Judged>& devices) {
  auto list = nlohmann::ordered_json::array();
  for (const Exhibit& exhibit : exhibits) {
    nlohmann::ordered_json one = {{"paper", exhibit.paper},  {"name", exhibit.name}, {"caption", exhibit.caption},
                                  {"data", exhibit.data},    {"x", exhibit.x_label}, {"categories", exhibit.categories},
                                  {"absent", exhibit.absent}};
    one["rows"] = nlohmann::ordered_json::array();
    for (const Row& row : exhibit.rows) one["rows"].push_back(to_json(row));
    one["judgements"] = nlohmann::ordered_json::array();
    for (const Judgement& judged : judge(exhibit, devices))
      one["judgements"].push_back(
          {{"claim", judged.claim->words},
           {"quantity", judged.claim->quantity},
           {"combine", to_string(judged.claim->combine)},
           {"direction", judged.claim->direction == Direction::at_least ? "at least" : "at most"},
           {"number", judged.claim->number},
           {"device", judged.device},
           {"measured", judged.verdict == Verdict::not_measured ? nlohmann::ordered_json()
                                                                : nlohmann::ordered_json(judged.measured)},
           {"verdict", to_string(judged.verdict)},
           {"why", judged.why}});
    list.push_back(std::move(one));
  }
  return list;
}

Report page(const std::vector<Exhibit>& exhibits, const std::vector<Judged>& devices, const Recorder& recorder) {
  Report report("The tables and figures of five papers, measured again");
  report.verdict(exit_code(recorder) == exit_success, verdict(recorder));
  for (const std::string& text : recorder.differences()) report.paragraph(text);
  for (const std::string& text : recorder.failures()) report.paragraph(text);
  report.heading("How it was measured");
  for (const std::string& note : recorder.notes()) report.paragraph(note);
  report.heading("What holds");
  report.paragraph(rules_of_judging());
  report.table(verdicts(exhibits, devices));
  std::string paper;
  for (const Exhibit& exhibit : exhibits) {
    if (exhibit.paper != paper) report.heading(paper_named(exhibit.paper).citation);
    paper = exhibit.paper;
    add_exhibit(report, exhibit, devices);
  }
  return report;
}

}  // namespace proxel::tool::papers
