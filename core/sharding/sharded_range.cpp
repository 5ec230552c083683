// What is within reach among rows of several devices.
#include <algorithm>

#include "index/check_search.hpp"
#include "session/compute_times.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"
#include "sharding/part_search.hpp"

namespace proxel {

using namespace sharding;

namespace {

void append(const RangeNeighbors& from, RangeNeighbors& to) {
  const std::uint64_t before = to.indices.size();
  for (std::size_t query = 1; query < from.offsets.size(); ++query) to.offsets.push_back(before + from.offsets[query]);
  to.indices.insert(to.indices.end(), from.indices.begin(), from.indices.end());
  to.distances.insert(to.distances.end(), from.distances.begin(), from.distances.end());
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
      found[i] = range_search_part(*shard.index, shard.numbers, queries, radius, metric, options, progress);
    });
    all = merged(found, queries.rows, metric, options.ordered);
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
