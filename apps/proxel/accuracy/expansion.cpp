#include "accuracy/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace proxel::tool {
namespace {

float squared_norm(const Matrix<float>& matrix, std::uint64_t row) {
  float sum = 0;
  for (std::uint64_t i = 0; i < matrix.columns(); ++i) sum += matrix(row, i) * matrix(row, i);
  return sum;
}

}  // namespace

Neighbors nearest_by_expansion(const Matrix<float>& database, const Matrix<float>& queries, std::uint64_t k,
                               Metric metric) {
  const std::uint64_t rows = database.rows();
  std::vector<float> norms(rows);
  for (std::uint64_t row = 0; row < rows; ++row) norms[row] = squared_norm(database, row);
  std::vector<float> distances(rows);
  std::vector<std::uint32_t> order(rows);
  Neighbors found{Matrix<std::uint32_t>(queries.rows(), k), Matrix<float>(queries.rows(), k)};
  for (std::uint64_t query = 0; query < queries.rows(); ++query) {
    const float norm = squared_norm(queries, query);
    for (std::uint64_t row = 0; row < rows; ++row) {
      float sum = 0;
      for (std::uint64_t i = 0; i < queries.columns(); ++i) sum += -2 * queries(query, i) * database(row, i);
      sum += norm;
      sum += norms[row];
      sum = std::max(sum, 0.0f);
      distances[row] = metric == Metric::l2 ? std::sqrt(sum) : sum;
    }
    std::iota(order.begin(), order.end(), 0u);
    const std::uint64_t held = std::min(k, rows);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(held), order.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
      return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
    });
    for (std::uint64_t rank = 0; rank < k; ++rank) {
      found.indices(query, rank) = rank < held ? order[rank] : no_neighbor;
      found.distances(query, rank) = rank < held ? distances[order[rank]] : INFINITY;
    }
  }
  return found;
}

}  // namespace proxel::tool
