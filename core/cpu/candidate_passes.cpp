// The passes that evaluate some rows per query.

#include <algorithm>
#include <vector>

#include "cpu/candidate_distances.hpp"
#include "cpu/machine.hpp"
#include "passes/grids.hpp"
#include "passes/smallest.hpp"
#include "proxel/passes/candidate_distance.h"
#include "proxel/passes/reevaluate.h"

namespace proxel::cpu {

using passes::at;

void reevaluate(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::ReevaluateParameters>();
  const auto metric = pass.constants_as<passes::ReevaluateConstants>().metric;
  machine.workers.for_each(pass.grid.x, [&](std::uint64_t query) {
    const passes::After after(p.after, query, p.after_stride);
    std::vector<std::uint64_t> keys;
    for_each_candidate(metric, p.rows, p.first_index, at<const float>(p.queries) + query * p.query_stride, p.dimensions,
                       at<const std::uint32_t>(p.candidates) + query * p.query_pitch, p.count, p.rank_pitch,
                       [&](std::uint64_t, std::uint32_t index, std::uint32_t distance) {
      const std::uint64_t key = passes::make_key(distance, index);
      if (after.admits(key)) keys.push_back(key);
    });
    passes::write_smallest(keys, p.k, at<std::uint64_t>(p.keys) + query * p.keys_stride);
  });
}

void candidate_distance(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::CandidateDistanceParameters>();
  const auto metric = pass.constants_as<passes::CandidateDistanceConstants>().metric;
  // Candidates of a query that a thread takes.
  constexpr std::uint64_t part = 4096;
  const std::uint64_t parts = passes::divide_up(p.count, part);
  machine.workers.for_each(parts * pass.grid.y, [&](std::uint64_t item) {
    const std::uint64_t query = item / parts;
    const std::uint64_t first = item % parts * part;
    auto* keys = at<std::uint32_t>(p.keys) + query * p.keys_stride + first;
    for_each_candidate(metric, p.rows, p.first_index, at<const float>(p.queries) + query * p.query_stride, p.dimensions,
                       at<const std::uint32_t>(p.candidates) + query * p.candidate_stride + first,
                       std::min(part, p.count - first), 1,
                       [&](std::uint64_t i, std::uint32_t, std::uint32_t distance) { keys[i] = distance; });
  });
}

}  // namespace proxel::cpu
