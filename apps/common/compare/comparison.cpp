#include "compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "exit_code.hpp"
#include "format.hpp"
#include "json_output.hpp"

namespace proxel::tool {

using Outcome = Measured::Outcome;

namespace {

// Numbers as such, where all labels are numbers.
nlohmann::ordered_json classes_json(const std::vector<std::string>& classes) {
  nlohmann::ordered_json texts = classes, numbers = nlohmann::ordered_json::array();
  for (const std::string& label : classes) {
    const auto number = number_of(label);
    if (!number) return texts;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

const char* const comparison_method =
    "Build is the upload and packing of the database, once. Upload (queries), compute (device "
    "timestamps where the device has them, otherwise the host's clock) and read-back (results) "
    "are medians of repeated searches after one that is not counted. Whole call is the host's "
    "clock around the search; queries per second and speed-up come from it. Speed-up is against "
    "the scan on this machine's CPU. Identical means: every index and every bit of every "
    "distance, in every repeat.";

std::string Measured::verdict() const {
  switch (outcome) {
    case Outcome::reference:
      return "reference";
    case Outcome::identical:
      return "identical";
    case Outcome::different:
      return "DIFFERENT: " + difference->text();
    case Outcome::not_supported:
      return "not supported: " + reason;
    case Outcome::failed:
      return "FAILED: " + reason;
  }
  return "";
}

std::size_t Comparison::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::count_if(measured.begin(), measured.end(), [&](const Measured& row) { return row.outcome == outcome; }));
}

std::size_t Comparison::compared() const { return count(Outcome::identical) + count(Outcome::different); }

double Comparison::cpu_total() const {
  for (const Measured& row : measured)
    if (row.timed() && row.device.id == "cpu" && row.method == Method::scan) return row.total;
  return 0;
}

double Comparison::speed_up(const Measured& row) const {
  const double cpu = cpu_total();
  if (!row.timed() || cpu <= 0 || row.total <= 0) return std::numeric_limits<double>::quiet_NaN();
  return cpu / row.total;
}

double Comparison::queries_per_second(const Measured& row) const {
  if (!row.timed() || row.total <= 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(queries) / row.total * 1000;
}

std::string Comparison::task() const {
  return fmt::format("{} × {}, {} queries, {}, k = {}", with_separators(rows), dimensions, with_separators(queries),
                     distance_name(), k);
}

bool Comparison::good() const { return exit_code() == exit_success && compared() > 0; }

int Comparison::exit_code() const {
  if (count(Outcome::different) > 0 ||
      std::any_of(measured.begin(), measured.end(), [](const Measured& row) { return row.difference.has_value(); }))
    return exit_answer_is_no;
  return count(Outcome::failed) > 0 ? exit_device_failure : exit_success;
}

std::string Comparison::verdict() const {
  const std::size_t answers = compared() + 1;
  std::string text;
  if (measured.empty() || count(Outcome::reference) + compared() == 0)
    text = "nothing was compared: no device gave an answer";
  else if (exit_code() == exit_answer_is_no)
    text = fmt::format("{} of {} answers differ from the reference", count(Outcome::different), compared());
  else if (compared() == 0)
    text = "nothing was compared: there is only one answer";
  else
    text = fmt::format("all {} answers are identical to the bit", answers);
  if (const auto refused = count(Outcome::not_supported)) text += fmt::format("; {} not supported", refused);
  if (const auto failed = count(Outcome::failed)) text += fmt::format("; {} failed", failed);
  return text;
}

Table Comparison::table() const {
  Table table({{"backend"},
               {"device"},
               {"method"},
               {"build ms", true},
               {"upload ms", true},
               {"compute ms", true},
               {"read-back ms", true},
               {"whole call ms", true},
               {"queries/s", true},
               {"speed-up", true},
               {"answer"}});
  for (const Measured& row : measured) {
    const auto number = [&](double value) { return row.timed() ? significant(value) : "–"; };
    const Style style = row.outcome == Outcome::identical   ? Style::good
                        : row.outcome == Outcome::different ? Style::bad
                        : row.outcome == Outcome::failed    ? Style::bad
                                                            : Style::plain;
    const std::string backend = row.device.id.substr(0, row.device.id.find(':'));
    table.add({backend, row.device.name.empty() ? row.device.id : fmt::format("{} {}", row.device.id, row.device.name),
               row.method_name(), number(row.build), number(row.upload), number(row.compute), number(row.readback),
               number(row.total), number(queries_per_second(row)), as_speed_up(speed_up(row)),
               Cell(row.verdict(), style)});
  }
  return table;
}

nlohmann::ordered_json Comparison::json() const {
  static constexpr const char* names[] = {"reference", "identical", "different", "not_supported", "failed"};
  nlohmann::ordered_json document = {
      {"command", "compare"},
      {"database", {{"path", database_path}, {"rows", rows}, {"dimensions", dimensions}}},
      {"queries", queries},
      {"metric", distance_name()},
      {"k", k}};
  document["answers"] = nlohmann::ordered_json::array();
  for (const Measured& row : measured) {
    nlohmann::ordered_json entry = {{"device", row.device.id},
                                    {"device_name", row.device.name},
                                    {"method", row.method_name()},
                                    {"outcome", names[static_cast<int>(row.outcome)]}};
    if (!row.reason.empty()) entry["reason"] = row.reason;
    if (row.timed()) {
      const double speed = speed_up(row);
      entry["build_ms"] = row.build;
      entry["upload_ms"] = row.upload;
      entry["compute_ms"] = row.compute;
      entry["readback_ms"] = row.readback;
      entry["total_ms"] = row.total;
      entry["repeats"] = row.repeats;
      entry["queries_per_second"] = queries_per_second(row);
      entry["speed_up"] = std::isnan(speed) ? nlohmann::ordered_json() : nlohmann::ordered_json(speed);
    }
    if (const auto& difference = row.difference)
      entry["difference"] = {{"query", difference->query},
                             {"slot", difference->slot},
                             {"expected_index", difference->expected_index},
                             {"index", difference->index},
                             {"expected_distance", json_float(difference->expected_distance)},
                             {"distance", json_float(difference->distance)},
                             {"slots", difference->slots}};
    if (!row.passes.empty()) entry["passes"] = to_json(row.passes);
    document["answers"].push_back(entry);
  }
  document["compared"] = compared();
  document["identical"] = count(Outcome::different) == 0 && compared() > 0;
  document["verdict"] = verdict();
  if (classification)
    document["classification"] = {{"accuracy", classification->accuracy()},
                                  {"correct", classification->correct},
                                  {"majority_share", classification->majority_share()},
                                  {"classes", classes_json(classification->classes)},
                                  {"confusion", classification->confusion}};
  return document;
}

}  // namespace proxel::tool
