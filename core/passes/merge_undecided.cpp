#include <algorithm>
#include <vector>

#include "passes/decoded_distance.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/smallest.hpp"
#include "passes/undecided.hpp"
#include "proxel/passes/merge_undecided.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_merge_undecided(MergeUndecidedParameters parameters, std::uint32_t most_queries) {
  if (parameters.result_stride == 0) parameters.result_stride = parameters.k;
  const std::uint32_t length = list_length(parameters.k);
  // There are as many workgroups as there can be queries; those without one end at once.
  constexpr std::uint32_t plenty = 1024;
  return make_pass(merge_undecided, parameters, {.list_length = length},
                   {std::clamp(std::min(parameters.lists, most_queries), 1u, plenty), 1, 1}, common_workgroup,
                   selection_shared_bytes(length, common_workgroup));
}

PROXEL_PASS(merge_undecided)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<MergeUndecidedParameters>();
  const Undecided served(parameters);
  const std::uint64_t keys_per_query = std::uint64_t{served.groups} * parameters.k;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> merged(parameters.k);
  for (std::uint64_t j = 0; j < served.count; ++j) {
    const auto* lists = at<const std::uint64_t>(parameters.found) + j * keys_per_query;
    keys.assign(lists, lists + keys_per_query);
    write_smallest(keys, parameters.k, merged.data());
    if (parameters.after != 0) at<std::uint64_t>(parameters.after)[j] = merged.back();
    for (std::uint64_t rank = 0; rank < parameters.k; ++rank) {
      const std::uint64_t slot =
          served.numbers[j] * std::uint64_t{parameters.result_stride} + parameters.first_rank + rank;
      at<std::uint32_t>(parameters.indices)[slot] = index_of(merged[rank]);
      at<float>(parameters.distances)[slot] =
          decoded_distance(merged[rank], parameters.largest_first != 0, parameters.finish);
    }
  }
}

}  // namespace proxel
