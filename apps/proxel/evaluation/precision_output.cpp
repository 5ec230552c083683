#include "evaluation/precision_output.hpp"

#include <cmath>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "console.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

nlohmann::ordered_json by_rank(const std::array<double, precision_ranks.size()>& values) {
  nlohmann::ordered_json named;
  for (std::size_t r = 0; r < precision_ranks.size(); ++r) {
    auto& value = named[fmt::format("at_{}", precision_ranks[r])];
    if (std::isfinite(values[r])) value = values[r];
  }
  return named;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace

void add_query_options(CLI::App& command, DrawnQueries& queries) {
  command
      .add_option("--queries", queries.count,
                  "Images that are looked for, drawn at random among all (default: every one)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX} - 1))
      ->type_name("COUNT");
  command.add_option("--seed", queries.seed, "Of that drawing")->type_name("NUMBER")->capture_default_str();
}

nlohmann::ordered_json to_json(const Precision& precision) {
  nlohmann::ordered_json document = {{"queries", precision.queries}};
  if (precision.queries == 0) {
    document.update({{"precision", nullptr}, {"standard_error", nullptr}, {"chance", nullptr}});
    return document;
  }
  document.update({{"precision", by_rank(precision.at)},
                   {"standard_error", by_rank(precision.standard_error)},
                   {"chance", precision.chance}});
  return document;
}

nlohmann::ordered_json classes_json(const PrecisionCount& count) {
  auto document = nlohmann::ordered_json::array();
  const Classes& classes = count.classes();
  for (std::uint32_t number = 0; number < classes.names.size(); ++number) {
    nlohmann::ordered_json one = {{"class", classes.names[number]}, {"images", classes.sizes[number]}};
    one.update(to_json(count.of_class(number)));
    document.push_back(one);
  }
  return document;
}

void add_precision_columns(std::vector<Column>& columns) {
  columns.push_back({"queries", true});
  for (const std::uint64_t rank : precision_ranks) columns.push_back({fmt::format("at {}", rank), true});
  columns.push_back({"by chance", true});
}

void add_precision_cells(std::vector<Cell>& cells, const Precision& precision) {
  cells.push_back(with_separators(precision.queries));
  if (precision.queries == 0) return;
  for (const double at : precision.at) cells.push_back(percent(at));
  cells.push_back(percent(precision.chance));
}

Table precision_table(const PrecisionCount& count, const std::string& things) {
  std::vector<Column> columns = {{"class"}, {things, true}};
  add_precision_columns(columns);
  Table table(columns);
  const auto add = [&](const Cell& name, std::uint64_t images, const Precision& precision) {
    std::vector<Cell> cells = {name, with_separators(images)};
    add_precision_cells(cells, precision);
    table.add(cells);
  };
  const Classes& classes = count.classes();
  for (std::uint32_t number = 0; number < classes.names.size(); ++number)
    add(one_line(classes.names[number]), classes.sizes[number], count.of_class(number));
  add({"all", Style::strong}, classes.of.size(), count.of_all());
  return table;
}

std::string standard_errors(const Precision& precision) {
  const auto points = [&](std::size_t rank) { return fmt::format("{:.1f}", 100 * precision.standard_error[rank]); };
  return fmt::format("± {}, {} and {} percentage points", points(0), points(1), points(2));
}

}  // namespace proxel::tool
