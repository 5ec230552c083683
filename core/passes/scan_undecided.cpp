#include <algorithm>
#include <vector>

#include "passes/canonical.hpp"
#include "passes/finish_scan.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/smallest.hpp"
#include "passes/undecided.hpp"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/scan_undecided.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_scan_undecided(ScanUndecidedParameters parameters, Metric metric, std::uint32_t workgroups) {
  if (parameters.result_stride == 0) parameters.result_stride = parameters.k;
  const std::uint32_t length = list_length(parameters.k);
  // What a shader has in shared memory beside the list: which steps come next, and rows that wait, with their number.
  constexpr std::uint32_t step_rows = scan_tiles_per_step * tile_rows;
  constexpr std::uint32_t beside = 4 * (common_workgroup / 32 + common_workgroup + step_rows + 1);
  return make_pass(
      scan_undecided, parameters,
      {.metric = accumulated(metric), .list_length = length, .fours = four_rows_at_a_time(parameters.rows)},
      {workgroups, 1, 1}, common_workgroup, selection_shared_bytes(length, common_workgroup) + beside);
}

void passes::finish_undecided(const ScanUndecidedParameters& parameters, Metric metric, const Undecided& served,
                              std::uint64_t j) {
  const std::uint64_t first = served.numbers[j] * std::uint64_t{parameters.result_stride} + parameters.first_rank;
  const std::uint64_t last =
      finish_query(at<const std::uint64_t>(undecided_lists(parameters, served, j)), served.groups, parameters.k,
                   {at<std::uint32_t>(parameters.indices) + first, at<float>(parameters.distances) + first,
                    largest_first(metric), parameters.finish});
  if (in_rounds(parameters)) at<std::uint64_t>(parameters.found)[j] = last;
}

PROXEL_THREADED_PASS(scan_undecided)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ScanUndecidedParameters>();
  const auto metric = pass.constants_as<ScanUndecidedConstants>().metric;
  const Undecided served(parameters);
  std::vector<std::vector<std::uint64_t>> keys(served.groups);
  for (std::uint64_t j = 0; j < served.count; ++j) {
    const std::uint64_t query = served.numbers[j];
    const float* values = at<const float>(parameters.queries) + query * parameters.dimensions;
    const auto* filter = at<const std::uint32_t>(parameters.filter_bits) + query * parameters.filter_stride;
    const After after(undecided_after(parameters, j), 0, 1);
    for (std::uint64_t row = 0; row < parameters.rows.count; ++row) {
      const std::uint64_t index = parameters.first_index + row;
      if (parameters.filter_bits != 0 && (filter[index / 32] >> (index % 32) & 1u) == 0) continue;
      const float distance = canonical_distance(metric, values, parameters.rows, row, parameters.dimensions);
      const std::uint64_t key =
          make_key(distance_key(distance, largest_first(metric)), static_cast<std::uint32_t>(index));
      if (after.admits(key)) keys[row / (scan_tiles_per_step * tile_rows) % served.groups].push_back(key);
    }
    for (std::uint64_t group = 0; group < served.groups; ++group) {
      write_smallest(keys[group], parameters.k,
                     at<std::uint64_t>(undecided_lists(parameters, served, j)) + group * parameters.k);
      keys[group].clear();
    }
    finish_undecided(parameters, metric, served, j);
  }
}

}  // namespace proxel
