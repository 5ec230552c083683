#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "compare/labels.hpp"
#include "compare/measured.hpp"
#include "table.hpp"

namespace proxel::tool {

/// One search, and what became of it on every device.
struct Comparison : Description {
  Comparison() = default;
  explicit Comparison(const Description& description) : Description(description) {}

  std::vector<Measured> measured;  ///< the reference first, where it could be run
  std::optional<Classification> classification;

  std::size_t count(Measured::Outcome outcome) const;
  /// Answers that were compared with the reference.
  std::size_t compared() const;
  /// Answers that there are, the reference among them.
  std::size_t answers() const { return count(Measured::Outcome::reference) + compared(); }
  /// Whole-call time of the baseline's method on the CPU, milliseconds, or 0 where it was not measured.
  double cpu_total() const;
  /// How many times faster than that; NaN where it is not known.
  double speed_up(const Measured& row) const;
  double queries_per_second(const Measured& row) const;

  /// "cpu+vulkan:0 scan: rows divided: …", how each answer was divided among devices, or into blocks of rows.
  std::vector<std::string> divisions() const;
  std::string verdict() const;
  /// True where every answer that was compared is identical and nothing failed.
  bool good() const;
  /// exit_bad_input where nothing could be compared.
  int exit_code() const;

  nlohmann::ordered_json json() const;
};

/// Up to so many terms the plain reference answers in reasonable time.
inline constexpr double reference_terms = 4e9;

/// Who is compared by default, the reference first.
/// @param reference  whose answer the others' are compared with, an id; empty: cpu:reference up to so many
///                   terms, cpu otherwise
/// @param methods    of the task; none: its usual ones
std::vector<Subject> subjects_of(const Task& task, const std::string& reference,
                                 const std::vector<std::string>& devices, const std::vector<std::string>& methods,
                                 double most_terms = reference_terms);

/// Labels of the rows and of the queries; empty where there are none.
struct QueryLabels {
  std::vector<std::string> database, queries;
};

/// Measures all of them, in their order.
/// @param labels  where there are any, what the reference's neighbours say about the queries is told too
/// Throws as measure() does.
Comparison compare(const Task& task, const std::vector<Subject>& subjects, const Effort& effort, const Watch& watch,
                   const QueryLabels& labels = {});

}  // namespace proxel::tool
