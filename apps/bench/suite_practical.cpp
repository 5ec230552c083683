// Exact k-NN at the sizes that people search.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "bench/given_rows.hpp"
#include "bench/knn_measure.hpp"
#include "format.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint64_t scratch_goal = 256'000'000;

// Scratch memory of one million rows, 10,000 queries and k = 100 has a goal of its own.
void tell_scratch(Recorder& recorder) {
  for (const BenchRow& row : recorder.rows())
    if (row.yardsticks && row.n == 1'000'000 && row.q == 10'000 && row.d == 128 && row.k == 100)
      recorder.note(fmt::format("{}: scratch of 1,000,000 × 128, 10,000 queries, k = 100: {} bytes, {} 256 MB",
                                row.name, with_separators(row.yardsticks->scratch_bytes),
                                row.yardsticks->scratch_bytes < scratch_goal ? "below" : "not below"));
}

// The same numbers of queries and neighbours over all rows of a file.
void search_given(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  const GivenRows given = read_given_rows(options, options.quick ? 48 : 10'000, recorder);
  const std::uint64_t rows = given.database.rows(), most = given.queries.rows();
  const auto dimensions = static_cast<std::uint32_t>(given.database.columns());
  std::vector<KnnCase> cases;
  for (const auto& [queries, k] :
       {std::pair<std::uint64_t, std::uint64_t>{1, 10}, {10, 10}, {100, 100}, {most, 10}, {most, 100}})
    if (queries <= most && k <= rows)
      cases.push_back({"practical_given", {rows, dimensions, static_cast<std::uint32_t>(queries)}, k});
  run_knn_cases(chosen_cases(cases, options), options, recorder, bar, [&](const KnnCase& one) {
    return make_knn_workload(one, given.database, first_rows(given.queries, one.shape.queries), bar);
  });
}

}  // namespace

void run_practical(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  if (!options.data.empty()) return search_given(options, recorder, bar);
  std::vector<KnnCase> cases = {
      {"practical", {1'000'000, 128, 1}, 10},       {"practical", {1'000'000, 128, 10}, 10},
      {"practical", {1'000'000, 128, 100}, 100},    {"practical", {1'000'000, 128, 10'000}, 10},
      {"practical", {1'000'000, 128, 10'000}, 100}, {"practical", {1'000'000, 960, 10'000}, 100},
      {"practical", {60'000, 784, 10'000}, 10},     {"practical", {10'000'000, 96, 1'000}, 100},
      {"practical", {100'000, 3, 100'000}, 16}};
  if (options.quick)
    for (KnnCase& one : cases) {
      one.shape.rows = std::min<std::uint64_t>(one.shape.rows / 500, 4096);
      one.shape.queries = one.shape.queries > 100 ? 48 : std::min(one.shape.queries, 32u);
    }
  run_knn_cases(chosen_cases(cases, options), options, recorder, bar,
                [&](const KnnCase& one) { return normal_workload(one, options, recorder, bar); });
  tell_scratch(recorder);
}

}  // namespace proxel::tool
