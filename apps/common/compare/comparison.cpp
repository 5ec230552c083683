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

std::string Reach::text() const {
  return radius ? fmt::format("radius {}", as_float(*radius)) : fmt::format("k = {}", k);
}

std::string Description::task() const {
  const std::string searched = objects.empty() ? fmt::format("{} × {}", with_separators(rows), dimensions)
                                               : with_separators(rows) + " " + objects;
  return fmt::format("{}, {} queries, {}, {}{}{}", searched, with_separators(queries), distance, reach.text(),
                     how.empty() ? "" : ", ", how);
}

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
    if (row.timed() && row.device.id == "cpu" && row.method == baseline) return row.total;
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

bool Comparison::good() const { return exit_code() == exit_success && compared() > 0; }

int Comparison::exit_code() const {
  if (count(Outcome::different) > 0 ||
      std::any_of(measured.begin(), measured.end(), [](const Measured& row) { return row.difference.has_value(); }))
    return exit_answer_is_no;
  return count(Outcome::failed) > 0 ? exit_device_failure : exit_success;
}

std::string Comparison::verdict() const {
  std::string text;
  if (answers() == 0)
    text = "nothing was compared: no device gave an answer";
  else if (exit_code() == exit_answer_is_no)
    text = fmt::format("{} of {} answers differ from the reference", count(Outcome::different), compared());
  else if (compared() == 0)
    text = "nothing was compared: there is only one answer";
  else
    text = fmt::format("all {} answers are identical to the bit", compared() + 1);
  if (const auto refused = count(Outcome::not_supported)) text += fmt::format("; {} not supported", refused);
  if (const auto failed = count(Outcome::failed)) text += fmt::format("; {} failed", failed);
  // Identical answers have one recall.
  if (!measured.empty() && measured.front().recall)
    text += fmt::format("; they have {:.1f} % of the exact one", 100 * *measured.front().recall);
  return text;
}

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

nlohmann::ordered_json difference_json(const Difference& difference) {
  nlohmann::ordered_json json = {{"query", difference.query},
                                 {"slot", difference.slot},
                                 {"expected_index", difference.expected_index},
                                 {"index", difference.index},
                                 {"expected_distance", json_float(difference.expected_distance)},
                                 {"distance", json_float(difference.distance)}};
  if (difference.count != difference.expected_count) {
    json["expected_count"] = difference.expected_count;
    json["count"] = difference.count;
  }
  json["slots"] = difference.slots;
  return json;
}

}  // namespace

nlohmann::ordered_json Comparison::json() const {
  static constexpr const char* names[] = {"reference", "identical", "different", "not_supported", "failed"};
  nlohmann::ordered_json document = {
      {"command", "compare"},
      {"what", what},
      {"database", {{"path", database_path}, {"rows", rows}, {"dimensions", dimensions}}},
      {"queries", queries},
      {"metric", distance}};
  if (reach.radius)
    document["radius"] = json_float(*reach.radius);
  else
    document["k"] = reach.k;
  if (!how.empty()) document["how"] = how;
  document["answers"] = nlohmann::ordered_json::array();
  for (const Measured& row : measured) {
    nlohmann::ordered_json entry = {{"device", row.device.id},
                                    {"device_name", row.device.name},
                                    {"method", row.method},
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
    if (row.recall) entry["recall"] = *row.recall;
    if (row.difference) entry["difference"] = difference_json(*row.difference);
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

std::vector<Subject> subjects_of(const Task& task, const std::string& reference,
                                 const std::vector<std::string>& devices, const std::vector<std::string>& methods,
                                 double most_terms) {
  const std::string usual = task.terms() <= most_terms ? "cpu:reference" : "cpu";
  std::vector<Subject> subjects = {{reference.empty() ? usual : reference, task.usual_methods().front()}};
  for (const std::string& device : devices)
    for (const std::string& method : methods.empty() ? task.usual_methods() : methods)
      if (const Subject one{device, method}; std::find(subjects.begin(), subjects.end(), one) == subjects.end())
        subjects.push_back(one);
  return subjects;
}

Comparison compare(const Task& task, const std::vector<Subject>& subjects, const Effort& effort, const Watch& watch,
                   const QueryLabels& labels) {
  Comparison comparison(task.description());
  std::optional<Answer> reference;
  for (const Subject& subject : subjects)
    comparison.measured.push_back(measure(subject, task, effort, reference, watch));
  const Neighbors* nearest = reference ? AnswerView(*reference).nearest() : nullptr;
  if (nearest && !labels.queries.empty())
    comparison.classification = classify(*nearest, labels.database, labels.queries);
  return comparison;
}

}  // namespace proxel::tool
