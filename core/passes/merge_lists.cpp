#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/smallest.hpp"
#include "proxel/passes/merge_lists.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_merge_lists(const MergeListsParameters& parameters, std::uint32_t query_count) {
  const std::uint32_t length = list_length(parameters.k);
  return make_pass(merge_lists, parameters, {.list_length = length}, {query_count, 1, 1}, common_workgroup,
                   selection_shared_bytes(length, common_workgroup));
}

PROXEL_THREADED_PASS(merge_lists)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<MergeListsParameters>();
  const std::uint64_t keys_per_query = std::uint64_t{parameters.list_count} * parameters.k;
  std::vector<std::uint64_t> keys;
  for (std::uint64_t query = 0; query < pass.grid.x; ++query) {
    const auto* lists = at<const std::uint64_t>(parameters.lists) + query * keys_per_query;
    keys.assign(lists, lists + keys_per_query);
    write_smallest(keys, parameters.k, at<std::uint64_t>(parameters.merged) + query * parameters.merged_stride);
  }
}

}  // namespace proxel
