#include "bench/papers/charts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "bench/papers/page.hpp"
#include "bench/papers/rows.hpp"
#include "format.hpp"
#include "report/plot.hpp"

namespace proxel::tool::papers {
namespace {

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

}  // namespace

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

}  // namespace proxel::tool::papers
