#include "bench/signature_permutations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "format.hpp"
#include "proxel/signature_permutation.hpp"
#include "recall.hpp"

namespace proxel::tool {

void measure_signature_permutations(Device& device, const ExactSignatureSearch& exact, const BenchOptions& options,
                                    Recorder& recorder,
                                    const std::function<void(const std::string&, const Neighbors&)>& compare) {
  const std::string& id = device.info().id;
  const std::uint64_t k = exact.found.indices.columns();
  const bool few = options.quick || device.capabilities().runs_on_host;
  const std::vector<std::uint32_t> counts = few ? std::vector{32u} : std::vector{16u, 32u, 64u, 128u};
  const std::vector<double> fractions = few ? std::vector{0.01, 0.1} : std::vector{0.002, 0.005, 0.01, 0.02, 0.05, 0.1};
  BenchRow like;
  like.metric = "sqfd";
  like.n = exact.database.size();
  like.d = exact.database.dimensions();
  for (const std::uint32_t permutants : counts) {
    SignaturePermutationIndex index(
        device, exact.database, {.alpha = exact.alpha},
        {.permutants = static_cast<std::uint32_t>(std::min<std::uint64_t>(permutants, exact.database.size())),
         .seed = options.seed});
    if (!same_answer(index.search(exact.asked, k, 1), exact.found))
      recorder.difference(
          fmt::format("{}: the whole fraction gives another answer than the index without permutations", id));
    BenchRow row = like;
    row.group = "signature_permutation_build";
    row.name = fmt::format("permutation_{}_alpha_{}_{}", permutants, exact.alpha, id);
    row.median_ms = row.min_ms = index.build_milliseconds();
    row.remark = "whole build with upload, host clock, once";
    recorder.add(row);
    for (const double fraction : fractions) {
      const Neighbors found = index.search(exact.asked, k, fraction);
      const std::string name = fmt::format("permutation_{}_f_{}_alpha_{}", permutants, fraction, exact.alpha);
      compare(name, found);
      const Recall recall = recall_of(exact.found, found);
      const Timed times = repeat(options.patience, [&](std::uint32_t) {
        return index.search(exact.asked, k, fraction).report.times.compute_milliseconds;
      });
      row.group = "signature_permutation";
      row.name = fmt::format("{}_{}", name, id);
      row.q = exact.asked.size();
      row.k = k;
      row.median_ms = times.median_ms;
      row.min_ms = times.min_ms;
      row.remark = fmt::format("{} candidates; recall {:.3f} by identity, {:.3f} with ties",
                               with_separators(index.candidates(k, fraction)), recall.by_identity, recall.with_ties);
      recorder.add(row);
    }
  }
}

}  // namespace proxel::tool
