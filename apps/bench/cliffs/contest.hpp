#pragma once

// One search by the method that proxel chooses and by every other, over the same rows.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/cliffs/judge.hpp"
#include "bench/cliffs/point.hpp"
#include "bench/recorded_search.hpp"
#include "bench/suite.hpp"
#include "proxel/index.hpp"
#include "proxel/plan.hpp"

namespace proxel::tool::cliffs {

/// Values of the standard normal distribution: rows and queries of any sizes are the first of two sequences, so that
/// the rows of a point do not depend on what was measured before it.
class Values {
 public:
  explicit Values(std::uint64_t seed) : seed_(seed) {}

  /// Valid until larger ones are asked for.
  MatrixView<float> rows(const Point& point) { return view(rows_, seed_, point.rows, point.dimensions); }
  MatrixView<float> queries(const Point& point) { return view(queries_, seed_ + 1, point.queries, point.dimensions); }

 private:
  static MatrixView<float> view(Matrix<float>& kept, std::uint64_t seed, std::uint64_t rows, std::uint64_t columns);

  std::uint64_t seed_;
  Matrix<float> rows_, queries_;
};

/// A search that is recorded, ready to be timed.
class Entrant {
 public:
  Entrant(Device& device, Index& index, const Point& point, MatrixView<float> queries);

  /// What answers.
  const std::string& method() const { return method_; }
  /// Device time of the search; on a processor the call's, queries and answers copied.
  Timed time(const Patience& patience);
  Neighbors answers() { return search_->answers(0); }

 private:
  bool on_host_;
  std::unique_ptr<Plan> plan_;
  std::string method_;
  std::unique_ptr<RecordedSearch> search_;
};

/// What was measured at a point.
struct Standing {
  struct Row {
    MethodTime time;
    double min_ms = 0;
  };
  Row chosen;
  std::vector<Row> others;
  std::vector<std::string> differences;  ///< methods whose answers are not those of the chosen one

  std::vector<MethodTime> times_of_others() const;
};

class Contest {
 public:
  /// @param methods  those that may stand beside the chosen one; Method::automatic among them: all
  Contest(Device& device, std::uint64_t seed, const std::vector<Method>& methods, const Patience& patience);

  /// Times the chosen method and the others, answers compared. A method that took several times as long as the chosen
  /// one is timed once, and not again in the walk until the chosen one takes as long.
  Standing measure(const Point& point);
  /// Another walk begins.
  void forget_pace() { latest_.clear(); }

  /// The method that would be chosen.
  std::string_view choice(const Point& point);

  /// Times two searches by turns.
  /// @param slow, fast  the point, and the method; Method::automatic: as chosen
  std::vector<Round> alternate(const std::pair<Point, Method>& slow, const std::pair<Point, Method>& fast);

 private:
  // Indexes over rows of one size.
  struct Field {
    std::uint64_t rows, dimensions;
    std::map<Method, std::unique_ptr<Index>> indexes;
  };
  Index& index(const Point& point, Method method);
  std::unique_ptr<Entrant> enter(const Point& point, Method method);

  Device& device_;
  Values values_;
  std::vector<Method> methods_;
  Patience patience_;
  std::deque<Field> fields_;              // the latest first
  std::map<std::string, double> latest_;  // milliseconds at the walk's latest point where it was timed
};

}  // namespace proxel::tool::cliffs
