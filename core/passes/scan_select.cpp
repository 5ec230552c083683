#include "passes/canonical.hpp"
#include "passes/counted.hpp"
#include "passes/filter.hpp"
#include "passes/finish_scan.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/smallest.hpp"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_scan_select(const ScanSelectParameters& parameters, Metric metric, std::uint32_t query_count,
                              std::uint32_t workgroup_size) {
  const std::uint32_t length = list_length(parameters.k);
  const std::uint32_t variant =
      (four_rows_at_a_time(parameters.rows) ? scan_reads_fours : 0) + (parameters.filter_bits != 0 ? scan_filters : 0);
  return make_pass(scan_select, parameters, {.metric = accumulated(metric), .list_length = length, .access = variant},
                   {parameters.groups, query_count, 1}, workgroup_size, selection_shared_bytes(length, workgroup_size));
}

PROXEL_THREADED_PASS(scan_select)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ScanSelectParameters>();
  const auto metric = pass.constants_as<ScanSelectConstants>().metric;
  const std::uint64_t step_rows = std::uint64_t{scan_tiles_per_step} * tile_rows;
  std::vector<std::uint64_t> keys;
  for (std::uint64_t query = 0; query < counted_queries(parameters.counted, pass.grid.y); ++query) {
    const float* values = at<const float>(parameters.queries) + query * parameters.query_stride;
    const After after(parameters.after, query, parameters.after_stride);
    const Filter filter(parameters.filter_bits, query, parameters.filter_stride);
    for (std::uint64_t group = 0; group < parameters.groups; ++group) {
      keys.clear();
      for (std::uint64_t first = group * step_rows; first < parameters.rows.count;
           first += parameters.groups * step_rows) {
        const std::uint64_t end = std::min<std::uint64_t>(first + step_rows, parameters.rows.count);
        for (std::uint64_t row = first; row < end; ++row) {
          if (!filter.allows(parameters.first_index + row)) continue;
          const float distance = canonical_distance(metric, values, parameters.rows, row, parameters.dimensions);
          const std::uint64_t key = make_key(distance_key(distance, largest_first(metric)),
                                             static_cast<std::uint32_t>(parameters.first_index + row));
          if (after.admits(key)) keys.push_back(key);
        }
      }
      write_smallest(keys, parameters.k,
                     at<std::uint64_t>(parameters.lists) + (query * parameters.groups + group) * parameters.k);
    }
    if (parameters.tickets != 0) finish_scan(pass, query);
  }
}

}  // namespace proxel
