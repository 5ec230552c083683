#pragma once

#include <string>
#include <vector>

#include "bench/suite.hpp"
#include "progress_bar.hpp"
#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// One row of a table of k-NN searches by squared Euclidean distance.
struct KnnCase {
  std::string group;
  Shape shape;
  std::uint64_t k = 1;
};

/// Its data, and what the plain reference answers to some of the queries.
struct KnnWorkload {
  KnnCase one;
  Matrix<float> data;                 ///< [rows x dimensions]
  Matrix<float> queries;              ///< [queries x dimensions]
  std::vector<std::uint64_t> sample;  ///< queries with an expected answer, spread over all
  Neighbors expected;                 ///< [sample.size() x k], by cpu:reference
};

/// @param data, queries  of the case's shape
KnnWorkload make_knn_workload(const KnnCase& one, Matrix<float> data, Matrix<float> queries, ProgressBar& bar);
/// The same with values of the standard normal distribution.
KnnWorkload normal_workload(const KnnCase& one, const BenchOptions& options, Recorder& recorder, ProgressBar& bar);

/// Notes what the columns mean and how answers are checked.
void note_knn_method(Recorder& recorder);

}  // namespace proxel::tool
