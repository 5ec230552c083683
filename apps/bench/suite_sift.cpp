// SIFT matching, Garcia 2010, section 3.2: the features of one image, 1,024
// queries, against databases of 128 to 65,536 features; d = 128, k = 20.

#include <algorithm>

#include <fmt/format.h>

#include "bench/knn_measure.hpp"
#include "bench/peers/cpu_peer.hpp"
#include "bench/sift_features.hpp"
#include "bench/voting.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

const LineChart over_ann{"Speed-up over the ANN library (figure 3)", "reference features", "times", true, true, {}};

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
  const std::uint64_t most = options.quick ? 1024 : sift_largest;
  const SiftImages features = sift_features(options, recorder);
  std::vector<KnnCase> cases;
  const auto dimensions = static_cast<std::uint32_t>(features.database.columns());
  for (std::uint64_t rows = 128; rows <= most; rows *= 2) {
    if (rows > features.database.rows()) {
      recorder.note(fmt::format("{} has too few rows for {} and more.", options.data, with_separators(rows)));
      break;
    }
    cases.push_back({"garcia_sift", {rows, dimensions, sift_queries}, sift_neighbors});
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
