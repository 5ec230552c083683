#include "accuracy/truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace proxel::tool {

Truth::Truth(const Matrix<float>& database, const Matrix<float>& queries, std::uint64_t k)
    : database_(database), queries_(queries), k_(std::min(k, database.rows())) {
  std::vector<double> distances(database.rows());
  for (std::uint64_t query = 0; query < queries.rows(); ++query) {
    for (std::uint64_t row = 0; row < database.rows(); ++row) distances[row] = squared_distance(query, row);
    const auto kth = distances.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(distances.begin(), kth, distances.end());
    kth_.push_back(*kth);
  }
}

double Truth::squared_distance(std::uint64_t query, std::uint64_t row) const {
  double sum = 0;
  for (std::uint64_t i = 0; i < database_.columns(); ++i) {
    const double difference = double{queries_(query, i)} - double{database_(row, i)};
    sum += difference * difference;
  }
  return sum;
}

AccuracyVerdict Truth::judge(const Neighbors& answer, Metric metric) const {
  // Double precision rounds too: by less than this, relatively.
  const double slack = 4 * static_cast<double>(database_.columns() + 4) * std::numeric_limits<double>::epsilon();
  AccuracyVerdict verdict;
  for (std::uint64_t query = 0; query < queries_.rows(); ++query)
    for (std::uint64_t rank = 0; rank < k_; ++rank) {
      ++verdict.neighbors;
      const std::uint32_t index = answer.indices(query, rank);
      if (index >= database_.rows()) {
        ++verdict.wrong;
        continue;
      }
      const double squared = squared_distance(query, index);
      if (squared > kth_[query] * (1 + slack)) ++verdict.wrong;
      const double exact = metric == Metric::l2 ? std::sqrt(squared) : squared;
      const double error = std::fabs(double{answer.distances(query, rank)} - exact);
      if (error == 0) continue;
      const double relative = std::isnan(error) ? std::numeric_limits<double>::infinity() : error / exact;
      verdict.largest_relative_error = std::max(verdict.largest_relative_error, relative);
    }
  return verdict;
}

}  // namespace proxel::tool
