#include "bench/knn_check.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "compare/difference.hpp"

namespace proxel::tool {

std::optional<std::string> check_sample(const Neighbors& expected, const std::vector<std::uint64_t>& queries,
                                        const Neighbors& found, std::uint64_t rows) {
  const std::uint64_t k = expected.indices.columns();
  if (queries.empty() || k == 0) throw std::logic_error("there is nothing to check an answer by");
  if (queries.size() != expected.indices.rows() || found.indices.columns() != k)
    throw std::logic_error("answers of different shapes were compared");
  Neighbors asked{Matrix<std::uint32_t>(queries.size(), k), Matrix<float>(queries.size(), k)};
  for (std::uint64_t row = 0; row < queries.size(); ++row) {
    if (queries[row] >= found.indices.rows()) throw std::logic_error("a query was checked that was not asked");
    if (expected.indices(row, 0) >= rows) throw std::logic_error("an expected answer names no row");
    std::copy_n(&found.indices(queries[row], 0), k, &asked.indices(row, 0));
    std::copy_n(&found.distances(queries[row], 0), k, &asked.distances(row, 0));
  }
  auto difference = first_difference(expected, asked);
  if (!difference) return std::nullopt;
  difference->query = queries[difference->query];
  return difference->text();
}

std::optional<std::string> check_all(const Neighbors& expected, const Neighbors& found, std::uint64_t rows) {
  if (expected.indices.rows() != found.indices.rows())
    throw std::logic_error("answers of different shapes were compared");
  std::vector<std::uint64_t> queries(expected.indices.rows());
  std::iota(queries.begin(), queries.end(), std::uint64_t{0});
  return check_sample(expected, queries, found, rows);
}

std::vector<std::uint64_t> spread_sample(std::uint64_t queries, std::uint64_t count) {
  count = std::min(queries, count);
  std::vector<std::uint64_t> sample;
  for (std::uint64_t number = 0; number < count; ++number)
    sample.push_back(count == 1 ? queries / 2 : number * (queries - 1) / (count - 1));
  return sample;
}

}  // namespace proxel::tool
