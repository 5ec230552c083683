#include "bench/sift_features.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "format.hpp"
#include "input.hpp"

namespace proxel::tool {
namespace {

// The rows of a file: the last ones are the queries, those from the first on the database.
SiftImages read_features(const std::string& path) {
  const Matrix<float> all = read_rows(path, {}).rows;
  if (all.rows() < 2 * sift_queries)
    throw Error(ErrorCode::invalid_argument, "--data",
                fmt::format("{} has {} rows; at least {} are needed", path, all.rows(), 2 * sift_queries));
  const std::uint64_t rows = std::min(sift_largest, all.rows() - sift_queries);
  SiftImages features{Matrix<float>(rows, all.columns()), Matrix<float>(sift_queries, all.columns())};
  std::copy_n(all.data(), rows * all.columns(), features.database.data());
  std::copy_n(&all(all.rows() - sift_queries, 0), sift_queries * all.columns(), features.queries.data());
  return features;
}

}  // namespace

SiftImages sift_features(const BenchOptions& options, Recorder& recorder) {
  const bool made = options.data.empty();
  const std::uint64_t most = options.quick ? 1024 : sift_largest;
  recorder.note(
      made ? fmt::format("Data: made in the manner of SIFT, seed {}; images of {} features; the "
                         "queries are a new view of image 0 among features of no image.",
                         options.seed, sift_image_features)
           : fmt::format("Data: {}; its last {} rows are the queries.", options.data, with_separators(sift_queries)));
  return made ? sift_like(most / sift_image_features, sift_queries, options.seed) : read_features(options.data);
}

Matrix<float> first_rows(const Matrix<float>& all, std::uint64_t rows) {
  Matrix<float> part(rows, all.columns());
  std::copy_n(all.data(), rows * all.columns(), part.data());
  return part;
}

}  // namespace proxel::tool
