// SIFT matching, Garcia 2010, section 3.2: the features of one image, 1,024
// queries, against databases of 128 to 65,536 features; d = 128, k = 20.

#include <algorithm>

#include <fmt/format.h>

#include "bench/knn_measure.hpp"
#include "bench/made_data.hpp"
#include "bench/peers/cpu_peer.hpp"
#include "bench/voting.hpp"
#include "format.hpp"
#include "input.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint64_t paper_queries = 1024;
constexpr std::uint64_t paper_k = 20;
constexpr std::uint64_t largest = 65536;

const LineChart over_ann{"Speed-up over the ANN library (figure 3)", "reference features", "times", true, true, {}};

// The rows of a file: the last ones are the queries, those from the first on the database.
SiftImages read_features(const std::string& path) {
  const Matrix<float> all = read_rows(path, {}).rows;
  if (all.rows() < 2 * paper_queries)
    throw Error(ErrorCode::invalid_argument, "--data",
                fmt::format("{} has {} rows; at least {} are needed", path, all.rows(), 2 * paper_queries));
  const std::uint64_t rows = std::min(largest, all.rows() - paper_queries);
  SiftImages features{Matrix<float>(rows, all.columns()), Matrix<float>(paper_queries, all.columns())};
  std::copy_n(all.data(), rows * all.columns(), features.database.data());
  std::copy_n(&all(all.rows() - paper_queries, 0), paper_queries * all.columns(), features.queries.data());
  return features;
}

Matrix<float> first_rows(const Matrix<float>& all, std::uint64_t rows) {
  Matrix<float> part(rows, all.columns());
  std::copy_n(all.data(), rows * all.columns(), part.data());
  return part;
}

void plot_speed_up(const KnnCase& one, Recorder& recorder) {
  const auto of_case = [&](const BenchRow& row) {
    return row.group == one.group && row.n == one.shape.rows && row.median_ms > 0;
  };
  const auto ann = std::find_if(recorder.rows().begin(), recorder.rows().end(),
                                [&](const BenchRow& row) { return of_case(row) && row.name.starts_with("ann_"); });
  if (ann == recorder.rows().end()) return;
  for (const BenchRow& row : recorder.rows())
    if (of_case(row) && row.name != ann->name)
      recorder.plot(over_ann, row.name, static_cast<double>(row.n), ann->median_ms / row.median_ms);
}

}  // namespace

void run_sift(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const bool made = options.data.empty();
  const std::uint64_t most = options.quick ? 1024 : largest;
  const SiftImages features =
      made ? sift_like(most / sift_image_features, paper_queries, options.seed) : read_features(options.data);
  recorder.note(
      made ? fmt::format("Data: made in the manner of SIFT, seed {}; images of {} features; the "
                         "queries are a new view of image 0 among features of no image.",
                         options.seed, sift_image_features)
           : fmt::format("Data: {}; its last {} rows are the queries.", options.data, with_separators(paper_queries)));
  std::vector<KnnCase> cases;
  const auto dimensions = static_cast<std::uint32_t>(features.database.columns());
  for (std::uint64_t rows = 128; rows <= most; rows *= 2) {
    if (rows > features.database.rows()) {
      recorder.note(fmt::format("{} has too few rows for {} and more.", options.data, with_separators(rows)));
      break;
    }
    cases.push_back({"garcia_sift", {rows, dimensions, paper_queries}, paper_k});
  }
  const std::vector<std::uint32_t> threads = thread_counts();
  run_knn_cases(chosen_cases(cases, options), options, recorder, bar, [&](const KnnCase& one) {
    return make_knn_workload(one, first_rows(features.database, one.shape.rows), features.queries, bar);
  }, [&](const KnnWorkload& work, const Neighbors& answers) {
    measure_cpu_peers(work, answers, threads, options, recorder);
    plot_speed_up(work.one, recorder);
    if (!made) return;
    const Votes votes = count_votes(answers, work.one.shape.rows, sift_image_features);
    recorder.note(fmt::format("Votes at n = {}: neighbours for {}; unambiguous matches for {}.",
                              with_separators(work.one.shape.rows), winner(votes.of_neighbors),
                              winner(votes.of_matches)));
  });
}

}  // namespace proxel::tool
