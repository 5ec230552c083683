#include "groundtruth/sample_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <set>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "format.hpp"
#include "groundtruth/exact_distance.hpp"

namespace proxel::tool {
namespace {

// Rows are drawn in runs, as a disk gives neighbouring ones for the price of one.
constexpr std::uint64_t run_rows = 64;
constexpr std::uint64_t most_sampled_bytes = std::uint64_t{256} << 20;

struct Run {
  std::uint64_t first, count;
};

// Different runs of rows, ascending; all rows where no more are wanted than there are.
std::vector<Run> draw_runs(std::uint64_t rows, std::uint64_t wanted, std::mt19937_64& random) {
  const std::uint64_t runs = (rows + run_rows - 1) / run_rows;
  const std::uint64_t drawn = wanted >= rows ? runs : std::min(runs, (wanted + run_rows - 1) / run_rows);
  std::set<std::uint64_t> chosen;
  if (drawn == runs)
    for (std::uint64_t run = 0; run < runs; ++run) chosen.insert(chosen.end(), run);
  while (chosen.size() < drawn) chosen.insert(random() % runs);
  std::vector<Run> result;
  for (const std::uint64_t run : chosen) result.push_back({run * run_rows, std::min(run_rows, rows - run * run_rows)});
  return result;
}

bool same_bits(float one, float other) {
  return (std::isnan(one) && std::isnan(other)) || one == other;  // -0 equals +0
}

// One query and its answer.
class QueryCheck {
 public:
  QueryCheck(const RowSource& rows, Metric metric, std::uint64_t query, const float* values, const GroundTruth& truth,
             CheckResult& result)
      : rows_(rows),
        metric_(metric),
        dimensions_(rows.columns()),
        slack_(error_bound(metric, static_cast<std::uint32_t>(rows.columns()))),
        number_(query),
        query_(values),
        ids_(truth.ids.data() + query * truth.ids.columns()),
        distances_(truth.distances.data() + query * truth.ids.columns()),
        k_(truth.ids.columns()),
        result_(result) {}

  void check_listed() {
    for (std::uint64_t slot = 0; slot < k_; ++slot) {
      const std::int64_t id = ids_[slot];
      if (id < 0) {
        full_ = false;
        if (slot < rows_.rows()) wrong(result_.wrong_order, "has no row at place {}", slot + 1);
        continue;
      }
      if (!full_ || static_cast<std::uint64_t>(id) >= rows_.rows() || !listed_.insert(id).second) {
        wrong(result_.wrong_order, "lists row {}, which is none, listed before, or behind the last", id);
        continue;
      }
      const Matrix<float> row = rows_.read(static_cast<std::uint64_t>(id), 1);
      check_distance(slot, row.data());
    }
  }

  // A row of the sample.
  void check_not_missed(std::int64_t id, const float* row) {
    if (listed_.contains(id)) return;
    const double ordered = ordered_distance(metric_, query_, row, dimensions_);
    const bool nearer = !full_ || is_farther(metric_, last_, ordered, 2 * slack_) ||
                        (slack_ == 0 && !is_farther(metric_, ordered, last_) && id < last_id_);
    if (nearer) wrong(result_.missed, "misses row {}, which is nearer than the last that is listed", id);
  }

 private:
  void check_distance(std::uint64_t slot, const float* row) {
    ++result_.listed;
    const double ordered = ordered_distance(metric_, query_, row, dimensions_);
    const double exact = double_distance(metric_, query_, row, dimensions_);
    const float distance = distances_[slot];
    const bool right = slack_ == 0
                           ? same_bits(distance, returned_distance(metric_, ordered))
                           : (std::isnan(distance) && std::isnan(exact)) || std::fabs(distance - exact) <= slack_;
    if (!right) wrong(result_.wrong_distances, "is told a wrong distance of row {}", ids_[slot]);
    const double difference = std::fabs(distance - exact) / std::max(std::fabs(exact), slack_ == 0 ? 1e-30 : 1.0);
    if (std::isfinite(difference)) result_.largest_difference = std::max(result_.largest_difference, difference);
    const bool behind = slot == 0 || is_farther(metric_, ordered, last_) ||
                        (!is_farther(metric_, last_, ordered, 2 * slack_) && (slack_ != 0 || ids_[slot] > last_id_));
    if (!behind) wrong(result_.wrong_order, "lists row {} behind a farther one", ids_[slot]);
    last_ = ordered;
    last_id_ = ids_[slot];
  }

  template <typename Number>
  void wrong(std::uint64_t& count, const char* what, Number number) {
    ++count;
    if (result_.first_wrong.empty())
      result_.first_wrong = fmt::format("query {} {}", number_, fmt::format(fmt::runtime(what), number));
  }

  const RowSource& rows_;
  Metric metric_;
  std::uint64_t dimensions_;
  double slack_;
  std::uint64_t number_;
  const float* query_;
  const std::int64_t* ids_;
  const float* distances_;
  std::uint64_t k_;
  CheckResult& result_;
  bool full_ = true;  // no slot was without a row
  double last_ = 0;
  std::int64_t last_id_ = -1;
  std::unordered_set<std::int64_t> listed_;
};

}  // namespace

CheckResult check_by_sampling(const RowSource& rows, const Matrix<float>& queries, const GroundTruth& truth,
                              Metric metric, const CheckSize& size, const std::function<void()>& look) {
  CheckResult result;
  std::mt19937_64 random(size.seed);
  const std::uint64_t drawn = std::min(size.queries, queries.rows());
  std::set<std::uint64_t> chosen;
  while (chosen.size() < drawn) chosen.insert(drawn == queries.rows() ? chosen.size() : random() % queries.rows());
  result.queries = drawn;
  if (drawn == 0) return result;

  std::vector<QueryCheck> checks;
  for (const std::uint64_t query : chosen) {
    look();
    checks.emplace_back(rows, metric, query, queries.data() + query * queries.columns(), truth, result);
    checks.back().check_listed();
  }
  const std::uint64_t most_rows = std::max<std::uint64_t>(most_sampled_bytes / (rows.columns() * sizeof(float)), 1);
  for (const Run& run : draw_runs(rows.rows(), std::min(size.rows, most_rows), random)) {
    const Matrix<float> sample = rows.read(run.first, run.count);
    result.rows += run.count;
    for (QueryCheck& check : checks) {
      look();
      for (std::uint64_t row = 0; row < run.count; ++row)
        check.check_not_missed(static_cast<std::int64_t>(run.first + row), sample.data() + row * sample.columns());
    }
  }
  result.all_rows = result.rows == rows.rows();
  return result;
}

nlohmann::ordered_json to_json(const CheckResult& result, const CheckSize& size) {
  return {{"queries", result.queries},
          {"rows_per_query", result.rows},
          {"all_rows", result.all_rows},
          {"listed", result.listed},
          {"seed", size.seed},
          {"wrong_distances", result.wrong_distances},
          {"wrong_order", result.wrong_order},
          {"missed", result.missed},
          {"largest_relative_difference", result.largest_difference}};
}

std::string describe(const CheckResult& result, Metric metric) {
  if (result.queries == 0) return "not checked";
  const std::string size = fmt::format("{} queries, {} listed distances computed anew, {} rows of each by brute force",
                                       with_separators(result.queries), with_separators(result.listed),
                                       result.all_rows ? fmt::format("all {}", with_separators(result.rows))
                                                       : fmt::format("{} sampled", with_separators(result.rows)));
  if (!result.right())
    return fmt::format("check FAILED ({}): {} wrong distances, {} out of order, {} missed; {}", size,
                       with_separators(result.wrong_distances), with_separators(result.wrong_order),
                       with_separators(result.missed), result.first_wrong);
  return fmt::format("checked: {}; {}, within {:.1e} of double precision", size,
                     normalizes(metric) ? "every distance within its bound" : "every distance the same to the bit",
                     result.largest_difference);
}

}  // namespace proxel::tool
