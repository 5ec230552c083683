// proxel's cpu device beside libraries for processors: n = q = 16,384, k = 20, and one query of a million rows, k = 10.

#include <fmt/format.h>

#include "bench/host_threads.hpp"
#include "bench/knn_check.hpp"
#include "bench/knn_measure.hpp"
#include "bench/peers/cpu_peer.hpp"
#include "devices.hpp"

namespace proxel::tool {
namespace {

void measure(const KnnWorkload& work, std::uint32_t threads, const BenchOptions& options, const Neighbors& expected,
             Recorder& recorder) {
  const KnnCase& one = work.one;
  const auto device = open_with_threads(threads);
  for (const Method method : options.methods) {
    Index index(*device, work.data.view(), {.method = method});
    Neighbors found;
    const Timed timed =
        repeat_on_host(options.patience, [&] { found = index.search(work.queries.view(), one.k, Metric::l2sq); });
    const std::string name = fmt::format("proxel_{}_cpu_{}", found.report.method, thread_text(threads));
    if (const auto difference = check_all(expected, found, one.shape.rows))
      recorder.difference(fmt::format("{}, d = {}: {}", name, one.shape.dimensions, *difference));
    recorder.add({one.group,
                  name,
                  "l2sq",
                  one.shape.rows,
                  one.shape.queries,
                  one.shape.dimensions,
                  one.k,
                  timed.median_ms,
                  timed.min_ms,
                  timed.count == 1 ? "one run, without warm-up" : "",
                  {}});
  }
}

}  // namespace

void run_cpu_knn(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const std::uint32_t points = options.quick ? 1024 : 16384;
  std::vector<KnnCase> cases;
  for (const std::uint32_t dimensions : {4u, 16u, 64u, 256u})
    cases.push_back({"cpu_knn", {points, dimensions, points}, 20});
  cases.push_back({"cpu_one_query", {options.quick ? 20'000u : 1'000'000u, 128, 1}, 10});
  recorder.note(
      "Times are the host's clock around the search of all queries, the database indexed before; "
      "--device does not matter here. proxel's answers are compared bit for bit with brute force of "
      "the cpu device, which is compared with the plain reference on queries spread over all.");
  const std::vector<std::uint32_t> threads = thread_counts();
  const auto chosen = chosen_cases(cases, options);
  for (std::size_t step = 0; step < chosen.size(); ++step) {
    bar.update(step, chosen.size());
    const KnnWorkload work = normal_workload(chosen[step], options, recorder, bar);
    const auto device = open_checked("cpu");
    const Neighbors expected = brute_force(*device, work, recorder, bar);
    for (const std::uint32_t count : threads) measure(work, count, options, expected, recorder);
    measure_cpu_peers(work, expected, threads, options, recorder);
  }
}

}  // namespace proxel::tool
