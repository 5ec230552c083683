#include <algorithm>

#include "cpu/machine.hpp"
#include "cpu/smallest_keys.hpp"
#include "cpu/tile_distances.hpp"
#include "passes/counted.hpp"
#include "passes/finish_scan.hpp"
#include "passes/grids.hpp"
#include "passes/undecided.hpp"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/scan_undecided.h"

namespace proxel::cpu {
namespace {

using passes::tile_rows;

// Queries that read a tile while it is in the cache.
constexpr std::uint32_t most_queries = 64;

void scan_group(Metric metric, const passes::ScanSelectParameters& parameters, const Kernels& kernels,
                std::uint64_t group, std::uint32_t first_query, std::uint32_t queries) {
  const std::uint32_t query_count = std::min(most_queries, queries - first_query);
  TileDistances distances(
      kernels, metric, parameters.rows,
      passes::at<const float>(parameters.queries) + std::size_t{first_query} * parameters.query_stride,
      parameters.query_stride, query_count, parameters.dimensions);
  std::vector<SmallestKeys> smallest;
  for (std::uint32_t q = 0; q < query_count; ++q)
    smallest.emplace_back(parameters.k, passes::After(parameters.after, first_query + q, parameters.after_stride),
                          passes::Filter(parameters.filter_bits, first_query + q, parameters.filter_stride));

  const std::uint64_t step_rows = std::uint64_t{passes::scan_tiles_per_step} * tile_rows;
  for (std::uint64_t step = group * step_rows; step < parameters.rows.count; step += parameters.groups * step_rows) {
    const std::uint64_t end = std::min<std::uint64_t>(step + step_rows, parameters.rows.count);
    for (std::uint64_t row = step; row < end; row += tile_rows) {
      const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(tile_rows, end - row));
      const std::uint64_t index = parameters.first_index + row;
      // A tile of which no query may be given a row is not read.
      if (std::none_of(smallest.begin(), smallest.end(),
                       [&](const SmallestKeys& keys) { return keys.wants_any(index, count); }))
        continue;
      Workers::look();
      distances.compute(row, count);
      for (std::uint32_t q = 0; q < query_count; ++q) smallest[q].offer(kernels, distances.keys(q), count, index);
    }
  }

  for (std::uint32_t q = 0; q < query_count; ++q)
    smallest[q].write(passes::at<std::uint64_t>(parameters.lists) +
                      (std::uint64_t{first_query + q} * parameters.groups + group) * parameters.k);
}

}  // namespace

void scan_select(const Pass& pass, Machine& machine) {
  const auto parameters = pass.as<passes::ScanSelectParameters>();
  const std::uint32_t queries = passes::counted_queries(parameters.counted, pass.grid.y);
  const std::uint64_t query_blocks = passes::divide_up(queries, most_queries);
  const Metric metric = pass.constants_as<passes::ScanSelectConstants>().metric;
  machine.workers.for_each(parameters.groups * query_blocks, [&](std::uint64_t item) {
    scan_group(metric, parameters, machine.kernels, item % parameters.groups,
               static_cast<std::uint32_t>(item / parameters.groups * most_queries), queries);
  });
  if (parameters.tickets != 0)
    machine.workers.for_each(queries, [&](std::uint64_t query) { passes::finish_scan(pass, query); });
}

void scan_undecided(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::ScanUndecidedParameters>();
  const passes::Undecided served(p);
  const Metric metric = pass.constants_as<passes::ScanUndecidedConstants>().metric;
  machine.workers.for_each(std::uint64_t{served.count} * served.groups, [&](std::uint64_t item) {
    const std::uint64_t query = served.numbers[item / served.groups];
    passes::ScanSelectParameters scan{};
    scan.rows = p.rows;
    scan.queries = p.queries + query * p.dimensions * 4;
    scan.query_stride = p.dimensions;
    scan.after = passes::undecided_after(p, item / served.groups);
    scan.after_stride = 1;
    scan.lists = passes::undecided_lists(p, served, item / served.groups);
    if (p.filter_bits != 0) scan.filter_bits = p.filter_bits + query * p.filter_stride * 4;
    scan.filter_stride = p.filter_stride;
    scan.dimensions = p.dimensions;
    scan.k = p.k;
    scan.first_index = p.first_index;
    scan.groups = served.groups;
    scan_group(metric, scan, machine.kernels, item % served.groups, 0, 1);
  });
  machine.workers.for_each(served.count, [&](std::uint64_t j) { passes::finish_undecided(p, metric, served, j); });
}

}  // namespace proxel::cpu
