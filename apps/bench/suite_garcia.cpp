// Table 1 of Garcia 2010: n points against n queries, k = 20, over n and d.

#include <algorithm>

#include <fmt/format.h>

#include "bench/given_rows.hpp"
#include "bench/knn_measure.hpp"

namespace proxel::tool {
namespace {

// Rows of a file instead: as many of them against as many others, up to half of them.
void run_on_given(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const GivenRows given = read_given_rows(options, options.largest_rows, recorder);
  const auto dimensions = static_cast<std::uint32_t>(given.database.columns());
  const std::uint64_t most = given.queries.rows();
  std::vector<KnnCase> cases;
  for (std::uint64_t rows = 256; rows < most; rows *= 4)
    cases.push_back({"garcia_given", {rows, dimensions, static_cast<std::uint32_t>(rows)}, 20});
  cases.push_back({"garcia_given", {most, dimensions, static_cast<std::uint32_t>(most)}, 20});
  for (KnnCase& one : cases) one.k = std::min(one.k, one.shape.rows);
  run_knn_cases(chosen_cases(cases, options), options, recorder, bar, [&](const KnnCase& one) {
    return make_knn_workload(one, first_rows(given.database, one.shape.rows), first_rows(given.queries, one.shape.rows),
                             bar);
  });
}

}  // namespace

void run_garcia(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  if (!options.data.empty()) return run_on_given(options, recorder, bar);
  std::vector<KnnCase> cases;
  for (const std::uint32_t rows : {256u, 1024u, 4096u, 8192u, 16384u, 32768u, 65536u})
    for (const std::uint32_t dimensions : {1u, 4u, 16u, 64u, 256u})
      if (!options.quick || (rows <= 1024 && dimensions <= 64))
        cases.push_back({"garcia_table1", {rows, dimensions, rows}, 20});
  run_knn_cases(chosen_cases(cases, options), options, recorder, bar,
                [&](const KnnCase& one) { return normal_workload(one, options, recorder, bar); });
}

}  // namespace proxel::tool
