#include "compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "divided_output.hpp"
#include "exit_code.hpp"
#include "format.hpp"

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

bool Comparison::good() const { return exit_code() == exit_success; }

int Comparison::exit_code() const {
  if (count(Outcome::different) > 0 ||
      std::any_of(measured.begin(), measured.end(), [](const Measured& row) { return row.difference.has_value(); }))
    return exit_answer_is_no;
  if (count(Outcome::failed) > 0) return exit_device_failure;
  return compared() == 0 ? exit_bad_input : exit_success;
}

std::vector<std::string> Comparison::divisions() const {
  std::vector<std::string> lines;
  for (const Measured& row : measured)
    if (row.timed())
      for (const std::string& line : row.divided.lines(row.latest))
        lines.push_back(fmt::format("{} {}: {}", row.device.id, row.method, line));
  return lines;
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
    text += fmt::format("; recall {:.4g} %", 100 * *measured.front().recall);
  return text;
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
