#include "groundtruth/comparison_of_truths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "format.hpp"
#include "groundtruth/exact_distance.hpp"

namespace proxel::tool {
namespace {

double relative(double one, double other) {
  if (one == other) return 0;
  const double difference = std::fabs(one - other) / std::max(std::fabs(other), 1e-30);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

class Judge {
 public:
  Judge(const RowSource& rows, const GroundTruth& ours, const GroundTruth& theirs, Metric metric, double tolerance)
      : rows_(rows),
        ours_(ours),
        theirs_(theirs),
        metric_(metric),
        tolerance_(tolerance),
        slack_(2 * error_bound(metric, static_cast<std::uint32_t>(rows.columns()))) {}

  void judge(std::uint64_t query, const float* values) {
    std::unordered_map<std::int64_t, std::uint64_t> places;
    const std::uint64_t k = ours_.ids.columns();
    for (std::uint64_t slot = 0; slot < k; ++slot)
      if (ours_.ids(query, slot) >= 0) places.emplace(ours_.ids(query, slot), slot);
    std::unordered_set<std::int64_t> seen;
    for (std::uint64_t slot = 0; slot < k; ++slot) {
      const std::int64_t id = theirs_.ids(query, slot);
      ++told_.ids;
      const bool padding = id < 0 && slot >= places.size();
      if (padding) {
        ++told_.same_place;
      } else if (const auto place = places.find(id); place != places.end()) {
        if (seen.insert(id).second) {
          judge_true(query, slot, place->second);
        } else {
          ++told_.other_ids;
          error(query, slot, "lists row {} twice", id);
        }
      } else {
        ++told_.other_ids;
        judge_other(query, slot, id, values, seen);
      }
    }
  }

  TruthDifference told() const { return told_; }

 private:
  float ours(std::uint64_t query, std::uint64_t slot) const { return ours_.distances(query, slot); }

  bool equal(double one, double other) const {
    return !is_farther(metric_, one, other, slack_) && !is_farther(metric_, other, one, slack_);
  }

  void judge_true(std::uint64_t query, std::uint64_t slot, std::uint64_t place) {
    if (place == slot) {
      ++told_.same_place;
    } else {
      ++told_.other_place;
      const bool tied =
          equal(ours(query, place), ours(query, slot)) || relative(ours(query, place), ours(query, slot)) <= tolerance_;
      if (!tied) {
        ++told_.misplaced;
        say(query, slot, "has row {} at a place of another distance", theirs_.ids(query, slot));
      }
    }
    if (theirs_.distances.columns() == 0) return;
    ++told_.distances;
    if (std::isnan(theirs_.distances(query, slot)) != std::isnan(ours(query, place)))
      return error(query, slot,
                   std::isnan(ours(query, place)) ? "gives row {} a distance, which has none"
                                                  : "gives row {} a distance that is no number",
                   theirs_.ids(query, slot));
    const double difference = relative(theirs_.distances(query, slot), ours(query, place));
    if (difference != 0) ++told_.other_distances;
    told_.largest_difference = std::max(told_.largest_difference, difference);
  }

  void judge_other(std::uint64_t query, std::uint64_t slot, std::int64_t id, const float* values,
                   std::unordered_set<std::int64_t>& seen) {
    if (id < 0 || static_cast<std::uint64_t>(id) >= rows_.rows())
      return error(query, slot, "lists {}, which is no row", id);
    if (!seen.insert(id).second) return error(query, slot, "lists row {} twice", id);
    const Matrix<float> row = rows_.read(static_cast<std::uint64_t>(id), 1);
    const double ordered = ordered_distance(metric_, values, row.data(), rows_.columns());
    const double distance = normalizes(metric_) ? ordered : returned_distance(metric_, ordered);
    const float last = ours(query, ours_.ids.columns() - 1);
    if (equal(distance, last)) {
      ++told_.ties;
      return;
    }
    const double excess = relative(distance, last);
    told_.largest_excess = std::max(told_.largest_excess, excess);
    if (excess <= tolerance_)
      ++told_.within;
    else
      error(query, slot, "lists row {}, which is farther than the last true one", id);
  }

  void error(std::uint64_t query, std::uint64_t slot, const char* what, std::int64_t id) {
    ++told_.errors;
    say(query, slot, what, id);
  }

  void say(std::uint64_t query, std::uint64_t slot, const char* what, std::int64_t id) {
    if (told_.first_error.empty())
      told_.first_error = fmt::format("query {} {} (place {})", query, fmt::format(fmt::runtime(what), id), slot + 1);
  }

  const RowSource& rows_;
  const GroundTruth& ours_;
  const GroundTruth& theirs_;
  Metric metric_;
  double tolerance_, slack_;
  TruthDifference told_;
};

}  // namespace

TruthDifference compare_truths(const RowSource& rows, const Matrix<float>& queries, const GroundTruth& ours,
                               const GroundTruth& theirs, Metric metric, double tolerance) {
  Judge judge(rows, ours, theirs, metric, tolerance);
  for (std::uint64_t query = 0; query < queries.rows(); ++query)
    judge.judge(query, queries.data() + query * queries.columns());
  return judge.told();
}

nlohmann::ordered_json to_json(const TruthDifference& difference) {
  return {{"ids", difference.ids},
          {"same_place", difference.same_place},
          {"other_place", difference.other_place},
          {"misplaced", difference.misplaced},
          {"other_ids", difference.other_ids},
          {"ties", difference.ties},
          {"within_tolerance", difference.within},
          {"errors", difference.errors},
          {"largest_relative_excess", difference.largest_excess},
          {"distances", difference.distances},
          {"other_distances", difference.other_distances},
          {"largest_relative_difference", difference.largest_difference},
          {"first_error", difference.first_error}};
}

std::string describe(const TruthDifference& difference, const std::string& path) {
  std::string text = fmt::format(
      "{}: {} of {} ids are at the same place; {} true ones at another, {} of them not by ties; {} other ids: {} by "
      "ties, {} within the tolerance; {} errors",
      path, with_separators(difference.same_place), with_separators(difference.ids),
      with_separators(difference.other_place), with_separators(difference.misplaced),
      with_separators(difference.other_ids), with_separators(difference.ties), with_separators(difference.within),
      with_separators(difference.errors));
  if (difference.largest_excess != 0)
    text += fmt::format(", up to {:.1e} farther than the last true one", difference.largest_excess);
  if (difference.distances != 0)
    text += fmt::format("; {} of {} distances differ, by up to {:.1e}", with_separators(difference.other_distances),
                        with_separators(difference.distances), difference.largest_difference);
  if (!difference.first_error.empty()) text += "; first: " + difference.first_error;
  return text;
}

}  // namespace proxel::tool
