#include "proxel/passes/select_rows.h"

#include <algorithm>

#include "cpu/machine.hpp"
#include "cpu/smallest_keys.hpp"

namespace proxel::cpu {

void select_rows(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::SelectRowsParameters>();
  // Looked at together: too few to be worth a look one by one, most of the time.
  constexpr std::uint64_t run = 256;
  const std::uint64_t items = std::uint64_t{pass.grid.y} * parameters.segments;

  machine.workers.for_each(items, [&](std::uint64_t item) {
    const std::uint64_t query = item / parameters.segments;
    const std::uint64_t segment = item % parameters.segments;
    auto* list = passes::at<std::uint64_t>(parameters.lists) + item * parameters.k;
    const auto* keys = passes::at<const std::uint32_t>(parameters.keys) + query * parameters.keys_stride;
    SmallestKeys smallest(parameters.k, passes::After(parameters.after, query, parameters.after_stride),
                          passes::Filter(parameters.filter_bits, query, parameters.filter_stride));
    if (!parameters.first_chunk) smallest.adopt(list);
    const std::uint64_t first = segment * parameters.segment_columns;
    const std::uint64_t end = std::min<std::uint64_t>(first + parameters.segment_columns, parameters.columns);
    for (std::uint64_t column = first; column < end; column += run)
      smallest.offer(machine.kernels, keys + column, std::min(run, end - column), parameters.first_index + column);
    smallest.write(list);
  });
}

}  // namespace proxel::cpu
