#include "bench/knn_workload.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/knn_check.hpp"
#include "bench/made_data.hpp"
#include "bench/published.hpp"
#include "bench/recorded_search.hpp"

namespace proxel::tool {
namespace {

// The plain reference forms about 10^9 terms in a second.
constexpr std::uint64_t reference_terms = std::uint64_t{1} << 30;
constexpr std::uint64_t largest_sample = 64;

}  // namespace

KnnWorkload make_knn_workload(const KnnCase& one, Matrix<float> data, Matrix<float> queries, ProgressBar& bar) {
  KnnWorkload work{one, std::move(data), std::move(queries), {}, {}};
  const std::uint64_t terms = one.shape.rows * one.shape.dimensions;
  work.sample = spread_sample(one.shape.queries, std::clamp<std::uint64_t>(reference_terms / terms, 1, largest_sample));
  Matrix<float> asked(work.sample.size(), work.queries.columns());
  for (std::uint64_t row = 0; row < work.sample.size(); ++row)
    std::copy_n(&work.queries(work.sample[row], 0), work.queries.columns(), &asked(row, 0));
  work.expected = answers_of("cpu:reference", work.data.view(), asked.view(), one.k, Metric::l2sq, bar);
  return work;
}

KnnWorkload normal_workload(const KnnCase& one, const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const std::uint64_t seed = options.seed;
  recorder.note(fmt::format("Data: normal (mean 0, variance 1), seed {}; queries likewise, seed {}.", seed, seed + 1));
  return make_knn_workload(one, normal_matrix(one.shape.rows, one.shape.dimensions, seed),
                           normal_matrix(one.shape.queries, one.shape.dimensions, seed + 1), bar);
}

void note_knn_method(Recorder& recorder) {
  recorder.note(
      "median and min are device timestamps (the host's clock where a device has none) of one "
      "recorded search, queries, rows and results in device memory, after warm-up; _call is the "
      "host's clock from copying the queries to having the results. The same database is searched "
      "again and again: one of less than 256 MiB may stay in the caches, for peers as for proxel.");
  recorder.note(
      "Every answer of every row is compared bit for bit with brute force, method scan, on the same "
      "device; that brute force and the answer are compared with the plain reference, cpu:reference, "
      "on queries spread over all. The remark says how many of each.");
  recorder.note(
      "Floors: (n + q) · d · 4 bytes at the read rate of this run; 2 · n · q · d operations at the "
      "rates of --float-rate and --matrix-rate (known for the H200: 51 and 735).");
  recorder.note(published_sources);
  recorder.note("target and ratio are told on the kind of device that they were published for.");
}

}  // namespace proxel::tool
