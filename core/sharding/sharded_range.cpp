// What is within reach among rows of several devices.
#include <algorithm>
#include <numeric>

#include "index/check_search.hpp"
#include "passes/decoded_distance.hpp"
#include "session/compute_times.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"

namespace proxel {

using namespace sharding;

namespace {

void append(const RangeNeighbors& from, RangeNeighbors& to) {
  const std::uint64_t before = to.indices.size();
  for (std::size_t query = 1; query < from.offsets.size(); ++query) to.offsets.push_back(before + from.offsets[query]);
  to.indices.insert(to.indices.end(), from.indices.begin(), from.indices.end());
  to.distances.insert(to.distances.end(), from.distances.begin(), from.distances.end());
}

// The matches of all parts, which are ordered, in one order; distances become those that `finish` makes of them.
RangeNeighbors merged(const std::vector<RangeNeighbors>& parts, std::uint64_t queries, bool largest,
                      std::uint32_t finish) {
  RangeNeighbors all;
  all.offsets.assign(1, 0);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t query = 0; query < queries; ++query) {
    keys.clear();
    for (const RangeNeighbors& part : parts) {
      if (part.offsets.empty()) continue;
      const auto middle = static_cast<std::ptrdiff_t>(keys.size());
      for (std::uint64_t i = part.offsets[query]; i < part.offsets[query + 1]; ++i)
        keys.push_back(passes::make_key(passes::distance_key(part.distances[i], largest), part.indices[i]));
      std::inplace_merge(keys.begin(), keys.begin() + middle, keys.end());
    }
    for (const std::uint64_t key : keys) {
      all.indices.push_back(passes::index_of(key));
      all.distances.push_back(passes::decoded_distance(key, largest, finish));
    }
    all.offsets.push_back(all.indices.size());
  }
  return all;
}

}  // namespace

RangeNeighbors ShardedIndex::range_search(MatrixView<float> queries, float radius, Metric metric,
                                          const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  self.require_whole();
  index::check_queries(queries, self.dimensions);
  index::check_options(options, queries.rows, self.rows);
  std::vector<RangeNeighbors> found(self.shards.size());
  RangeNeighbors all;
  if (self.by_rows()) {
    self.each(options.progress, queries.rows, [&](Shard& shard, std::size_t i, const Progress& progress) {
      SearchOptions mine = options;
      mine.progress = progress;
      mine.ordered = true;
      Matrix<std::uint32_t> filter;
      if (options.filter.data) mine.filter = (filter = shard.numbers.filter(options.filter)).view();
      found[i] = shard.index->range_search(queries, radius, metric, mine);
      shard.numbers.to_numbers(found[i].indices);
    });
    all = merged(found, queries.rows, largest_first(accumulated(metric)),
                 options.ordered ? passes::finish_none : passes::finish_of(metric));
  } else {
    self.each_part(queries.rows, options.progress,
                   [&](Shard& shard, std::size_t i, Part part, const Progress& progress) {
      SearchOptions mine = options;
      mine.progress = progress;
      if (options.filter.data && options.filter.rows > 1) mine.filter = options.filter.slice(part.first, part.count);
      found[i] = shard.index->range_search(queries.slice(part.first, part.count), radius, metric, mine);
    });
    all.offsets.assign(1, 0);
    for (const RangeNeighbors& part : found) append(part, all);
  }
  for (const RangeNeighbors& part : found) {
    session::add(all.report, part.report);
    if (all.report.method.empty()) all.report.method = part.report.method;
    all.report.devices.push_back({part.report.method.empty() ? 0u : 1u, part.report.times.compute_milliseconds});
  }
  all.report.times.total_milliseconds = stopwatch.milliseconds();
  return all;
}

}  // namespace proxel
