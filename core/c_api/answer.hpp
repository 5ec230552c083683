#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "c_api/handle.hpp"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/proxel.h"

namespace proxel::c_api {

/// Rungs as C sees them; the names are kept elsewhere.
std::vector<proxel_rung> rungs_of(const std::vector<RungCount>& rungs);

/// What was found, of whatever kind, and how. Never changes.
class Answer {
 public:
  using Found = std::variant<Neighbors, RangeNeighbors, Distances>;

  /// @param searched_by  the metric of vectors; none for other objects
  /// @param ordered      whether the search left distances as rows are ordered by them
  Answer(Found found, std::optional<Metric> searched_by, bool ordered);
  Answer(Answer&&) = default;

  proxel_answer_view view() const;
  proxel_report report() const;
  /// Whether these are all distances, which have no indices.
  bool has_all() const { return std::holds_alternative<Distances>(found_); }

  /// Throws Error(invalid_argument) unless these are the nearest.
  const Neighbors& nearest(const char* argument) const;
  /// The same, of which the order can be seen from the distances.
  const Neighbors& ordered(const char* argument) const;
  /// What other objects than vectors are ordered by is ordered as l2sq.
  Metric metric() const { return searched_by_.value_or(Metric::l2sq); }
  std::optional<Metric> searched_by() const { return searched_by_; }
  bool is_ordered() const { return ordered_; }

 private:
  const SearchReport& how() const;

  Found found_;
  std::optional<Metric> searched_by_;
  bool ordered_;
  // As C sees them:
  std::vector<proxel_pass_time> passes_;
  std::vector<proxel_rung> rungs_;
  std::vector<proxel_device_share> devices_;
};

template <>
struct ObjectOf<proxel_answer> : ObjectOfKind<Answer, HandleKind::answer> {};

/// The metric's name, never freed.
inline const char* name_of(Metric metric) { return to_string(metric).data(); }

}  // namespace proxel::c_api
