#include "compare/all_comparisons.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "exit_code.hpp"
#include "format.hpp"

namespace proxel::tool {

using Outcome = Measured::Outcome;

const char* const comparison_method =
    "Build is the upload and packing of the database, once. Upload (queries), compute (device "
    "timestamps where the device has them, otherwise the host's clock) and read-back (results) "
    "are medians of repeated searches after one that is not counted. Whole call is the host's "
    "clock around the search; queries per second and speed-up come from it. Speed-up is against "
    "the scan on this machine's CPU, or what stands for it where no rows are searched. Identical means: "
    "every count, every index and every bit of every distance, in every repeat.";

std::string AllComparisons::verdict() const {
  if (!several()) return of.front().verdict();
  std::size_t answers = 0, compared = 0, different = 0, refused = 0, failed = 0;
  for (const Comparison& one : of) {
    answers += one.answers();
    compared += one.compared();
    different += one.count(Outcome::different);
    refused += one.count(Outcome::not_supported);
    failed += one.count(Outcome::failed);
  }
  const auto alone = std::count_if(of.begin(), of.end(), [](const Comparison& one) { return one.compared() == 0; });
  std::string text =
      exit_code() == exit_answer_is_no ? fmt::format("{} of {} answers differ from the reference", different, compared)
      : alone != 0 ? fmt::format("{} of {} searches were not compared: fewer than two answers", alone, of.size())
                   : fmt::format("all {} answers to {} searches are identical to the bit", answers, of.size());
  if (refused) text += fmt::format("; {} not supported", refused);
  if (failed) text += fmt::format("; {} failed", failed);
  return text;
}

bool AllComparisons::good() const {
  return std::all_of(of.begin(), of.end(), [](const Comparison& one) { return one.good(); });
}

int AllComparisons::exit_code() const {
  for (const int code : {exit_answer_is_no, exit_device_failure, exit_bad_input})
    if (std::any_of(of.begin(), of.end(), [&](const Comparison& one) { return one.exit_code() == code; })) return code;
  return exit_success;
}

Table AllComparisons::table() const {
  const bool recalls = std::any_of(of.begin(), of.end(), [](const Comparison& one) {
    return std::any_of(one.measured.begin(), one.measured.end(), [](const Measured& row) { return row.recall; });
  });
  std::vector<Column> columns = {{"backend"},
                                 {"device"},
                                 {"method"},
                                 {"build ms", true},
                                 {"upload ms", true},
                                 {"compute ms", true},
                                 {"read-back ms", true},
                                 {"whole call ms", true},
                                 {"queries/s", true},
                                 {"speed-up", true},
                                 {"answer"}};
  if (several()) columns.insert(columns.begin(), {"search"});
  if (recalls) columns.insert(columns.end() - 1, {"recall", true});
  Table table(columns);
  for (const Comparison& one : of)
    for (const Measured& row : one.measured) {
      const auto number = [&](double value) { return row.timed() ? significant(value) : "–"; };
      const Style style = row.outcome == Outcome::identical   ? Style::good
                          : row.outcome == Outcome::different ? Style::bad
                          : row.outcome == Outcome::failed    ? Style::bad
                                                              : Style::plain;
      std::vector<Cell> cells;
      if (several()) cells.emplace_back(&row == &one.measured.front() ? one.what : "");
      for (std::string& text : std::vector<std::string>{
               row.device.id.substr(0, row.device.id.find(':')),
               row.device.name.empty() ? row.device.id : fmt::format("{} {}", row.device.id, row.device.name),
               row.shown_method(), number(row.build), number(row.upload), number(row.compute), number(row.readback),
               number(row.total), number(one.queries_per_second(row)), as_speed_up(one.speed_up(row))})
        cells.emplace_back(std::move(text));
      if (recalls) cells.emplace_back(row.recall ? fmt::format("{:.3f}", *row.recall) : "");
      cells.emplace_back(row.verdict(), style);
      table.add(std::move(cells));
    }
  return table;
}

Table table_of(const Comparison& comparison) { return AllComparisons{{comparison}}.table(); }

nlohmann::ordered_json AllComparisons::json() const {
  if (!several()) return of.front().json();
  nlohmann::ordered_json document = {{"command", "compare"}, {"what", nlohmann::ordered_json::array()}};
  std::size_t compared = 0;
  auto& each = document["comparisons"] = nlohmann::ordered_json::array();
  for (const Comparison& one : of) {
    nlohmann::ordered_json part = one.json();
    part.erase("command");
    document["what"].push_back(one.what);
    each.push_back(std::move(part));
    compared += one.compared();
  }
  document["compared"] = compared;
  document["identical"] = std::all_of(of.begin(), of.end(), [](const Comparison& one) {
    return one.count(Outcome::different) == 0 && one.compared() > 0;
  });
  document["verdict"] = verdict();
  return document;
}

}  // namespace proxel::tool
