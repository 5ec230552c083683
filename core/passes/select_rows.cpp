#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/smallest.hpp"
#include "proxel/passes/select_rows.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_select_rows(const SelectRowsParameters& parameters, std::uint32_t query_count) {
  const std::uint32_t length = list_length(parameters.k);
  return make_pass(select_rows, parameters, {.list_length = length, .filtered = parameters.filter_bits != 0},
                   {parameters.segments, query_count, 1}, common_workgroup,
                   selection_shared_bytes(length, common_workgroup));
}

PROXEL_THREADED_PASS(select_rows)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<SelectRowsParameters>();
  std::vector<std::uint64_t> keys;
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const auto* distance_keys = at<const std::uint32_t>(parameters.keys) + query * parameters.keys_stride;
    const After after(parameters.after, query, parameters.after_stride);
    const Filter filter(parameters.filter_bits, query, parameters.filter_stride);
    for (std::uint64_t segment = 0; segment < parameters.segments; ++segment) {
      auto* list = at<std::uint64_t>(parameters.lists) + (query * parameters.segments + segment) * parameters.k;
      keys.clear();
      if (!parameters.first_chunk) keys.assign(list, list + parameters.k);
      const std::uint64_t first = segment * parameters.segment_columns;
      const std::uint64_t end = std::min<std::uint64_t>(first + parameters.segment_columns, parameters.columns);
      for (std::uint64_t column = first; column < end; ++column) {
        if (!filter.allows(parameters.first_index + column)) continue;
        const std::uint64_t key =
            make_key(distance_keys[column], static_cast<std::uint32_t>(parameters.first_index + column));
        if (after.admits(key)) keys.push_back(key);
      }
      write_smallest(keys, parameters.k, list);
    }
  }
}

}  // namespace proxel
