#pragma once

#include <string>
#include <vector>

#include "bench/knn_measure.hpp"
#include "bench/papers/exhibit.hpp"

namespace proxel::tool::papers {

/// A method of an index, and whose it is in an exhibit.
struct KnnMethod {
  Method method;
  Role role;
  std::string name;             ///< in the exhibit
  bool distances_only = false;  ///< beside the same method without: see GarciaOptions
};

/// Times cases by methods on all devices, and on the processor by one thread and all, as rows of quantity "time" in
/// seconds: x is the number of rows, the curve "d = …". Answers are checked as measure_knn() does. Devices that are
/// processors are given cases of few distances only, which is noted, and baselines a part of the queries, with their
/// time multiplied.
/// @param methods  automatic, where it is among them, as the last
/// @param make  the workload of a case
std::vector<Row> knn_rows(const std::vector<KnnCase>& cases, const std::vector<KnnMethod>& methods,
                          const BenchOptions& options, Recorder& recorder, ProgressBar& bar,
                          const std::function<KnnWorkload(const KnnCase&)>& make);

/// Whether ANN is built in, or why not.
Support ann_is_built_in();

}  // namespace proxel::tool::papers
