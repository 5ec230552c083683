#include "proxel/passes/merge_answers.h"

#include <algorithm>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"

namespace proxel {

Pass passes::make_merge_answers(const MergeAnswersParameters& parameters) {
  return make_pass(merge_answers, parameters, {},
                   {strided_groups(divide_up(parameters.queries, common_workgroup)), 1, 1}, common_workgroup);
}

PROXEL_PASS(merge_answers)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<MergeAnswersParameters>();
  for (std::uint64_t query = 0; query < parameters.queries; ++query) {
    const auto* nearest = at<const std::uint64_t>(parameters.nearest) + query * parameters.kept;
    const auto* indices = at<const std::uint32_t>(parameters.indices) + query * parameters.columns;
    const auto* distances = at<const float>(parameters.distances) + query * parameters.columns;
    auto* merged = at<std::uint64_t>(parameters.merged) + query * parameters.k;
    const auto found = [&](std::uint32_t place) {
      if (place >= parameters.columns || indices[place] == index_of(no_row_key)) return no_row_key;
      return make_key(distance_key(distances[place], parameters.largest_first != 0),
                      parameters.first_index + indices[place]);
    };
    std::uint32_t taken = 0, next = 0;
    for (std::uint32_t rank = 0; rank < parameters.k; ++rank) {
      const std::uint64_t before = taken < parameters.kept ? nearest[taken] : no_row_key;
      const std::uint64_t added = found(next);
      merged[rank] = std::min(before, added);
      if (before <= added) ++taken;
      if (added <= before) ++next;
    }
    if (parameters.bounds != 0)
      at<float>(parameters.bounds)[query] =
          value_of_distance_key(distance_key_of(merged[parameters.k - 1]), parameters.largest_first != 0);
  }
}

}  // namespace proxel
