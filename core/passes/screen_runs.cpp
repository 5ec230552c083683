#include "proxel/passes/screen_runs.h"

#include <cmath>

#include "passes/decoded_distance.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/selected.hpp"
#include "passes/smallest.hpp"
#include "passes/strided_queries.hpp"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_screen_runs(const ScreenRunsParameters& parameters, Metric metric, std::uint32_t run,
                              std::uint32_t workgroup_size, bool few) {
  return make_pass(screen_runs, parameters, {.largest_first = largest_first(accumulated(metric)), .run = run},
                   {strided_queries(parameters.query_count, few), 1, 1}, workgroup_size, run_shared_bytes(run));
}

PROXEL_PASS(screen_runs)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ScreenRunsParameters>();
  const bool largest_first = pass.constants_as<ScreenRunsConstants>().largest_first != 0;
  auto* undecided = at<std::uint32_t>(parameters.undecided);
  const std::uint32_t queries = selected_count(parameters.selected, parameters.first_selected, parameters.query_count);
  for (std::uint64_t slot = 0; slot < queries; ++slot) {
    const std::uint32_t count = at<const std::uint32_t>(parameters.survivor_counts)[slot];
    if (count == 0) continue;
    const std::uint64_t query =
        parameters.selected == 0 ? slot
                                 : at<const std::uint32_t>(parameters.selected)[4 + parameters.first_selected + slot];
    auto* keys = at<std::uint64_t>(parameters.survivors) + slot * parameters.room;
    sort_smallest({keys, count}, parameters.k);
    // Where the k-th distance overflows, so may those of rows that were dropped.
    if (!std::isfinite(value_of_distance_key(distance_key_of(keys[parameters.k - 1]), largest_first))) {
      undecided[4 + undecided[0]++] = static_cast<std::uint32_t>(parameters.first_query + query);
      continue;
    }
    for (std::uint64_t rank = 0; rank < parameters.k; ++rank) {
      const std::uint64_t result = query * parameters.k + rank;
      at<std::uint32_t>(parameters.indices)[result] = index_of(keys[rank]);
      at<float>(parameters.distances)[result] = decoded_distance(keys[rank], largest_first, parameters.finish);
    }
  }
}

}  // namespace proxel
