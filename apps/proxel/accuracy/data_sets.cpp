#include "accuracy/data_sets.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bundled_data.hpp"
#include "compare/labels.hpp"
#include "format.hpp"
#include "seeded.hpp"

namespace proxel::tool {

AccuracyData two_points() {
  AccuracyData data{"10000 and 10001", "two points in one dimension; each is a query", Matrix<float>(2, 1),
                    Matrix<float>(2, 1)};
  for (Matrix<float>* points : {&data.database, &data.queries}) {
    (*points)(0, 0) = 10000;
    (*points)(1, 0) = 10001;
  }
  return data;
}

AccuracyData large_offset() {
  // Coordinates around 100 that differ by hundredths: the squared norms are near
  // 160,000, where neighbouring binary32 values are 1/64 apart, and the squared
  // distances of neighbours are smaller than that.
  constexpr std::uint64_t rows = 10000, queries = 100, dimensions = 16;
  AccuracyData data{"large offset", "small distances, 100 + [0, 0.05) in 16 dimensions (as faiss#297, faiss#3245)",
                    random_matrix(rows, dimensions, 3), random_matrix(queries, dimensions, 4)};
  for (Matrix<float>* points : {&data.database, &data.queries})
    for (std::uint64_t i = 0; i < points->rows() * dimensions; ++i) points->data()[i] = 100 + points->data()[i] * 0.05f;
  return data;
}

AccuracyData sift_like(std::uint64_t seed) {
  constexpr std::uint64_t rows = 20000, queries = 100, dimensions = 128;
  AccuracyData data{"SIFT-like", "synthetic: 128 integers from 0 to 160, most of them small",
                    random_matrix(rows, dimensions, seed), random_matrix(queries, dimensions, seed + 1)};
  for (Matrix<float>* points : {&data.database, &data.queries})
    for (std::uint64_t i = 0; i < points->rows() * dimensions; ++i) {
      const float value = points->data()[i];
      points->data()[i] = std::floor(160 * value * value * value);
    }
  return data;
}

AccuracyData from_file(const std::string& path, std::uint64_t query_count, std::uint64_t seed,
                       const InputOptions& input) {
  const Matrix<float> rows = read_rows(path, {}, input).rows;
  if (rows.rows() < 2) throw Error(ErrorCode::invalid_argument, path, "has one row; at least two are needed");
  query_count = std::clamp<std::uint64_t>(query_count, 1, rows.rows() / 2);
  HeldOut split = hold_out(rows, {}, query_count, seed);
  return {std::filesystem::path(path).filename().string(),
          fmt::format("{}; {} rows held out as queries", path, with_separators(query_count)), std::move(split.database),
          std::move(split.queries)};
}

std::filesystem::path covertype_sample() { return bundled_data() / "covtype_20k.csv.gz"; }

}  // namespace proxel::tool
