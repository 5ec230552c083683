// Table 1 of Garcia 2010: n points against n queries, k = 20, over n and d.

#include "bench/knn_measure.hpp"

namespace proxel::tool {

void run_garcia(const BenchOptions& options, Recorder& recorder, ProgressBar& bar) {
  std::vector<KnnCase> cases;
  for (const std::uint32_t rows : {256u, 1024u, 4096u, 8192u, 16384u, 32768u, 65536u})
    for (const std::uint32_t dimensions : {1u, 4u, 16u, 64u, 256u})
      if (!options.quick || (rows <= 1024 && dimensions <= 64))
        cases.push_back({"garcia_table1", {rows, dimensions, rows}, 20});
  run_knn_cases(chosen_cases(cases, options), options, recorder, bar,
                [&](const KnnCase& one) { return normal_workload(one, options, recorder, bar); });
}

}  // namespace proxel::tool
