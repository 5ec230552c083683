// What is within reach among rows of several devices.
#include "index/check_search.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"
#include "sharding/part_search.hpp"

namespace proxel {

using namespace sharding;

RangeNeighbors ShardedIndex::range_search(MatrixView<float> queries, float radius, Metric metric,
                                          const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  self.require_whole();
  index::check_queries(queries, self.dimensions);
  index::check_options(options, queries.rows, self.rows);
  const auto ask = [&](Shard& shard, Part part, const Progress& progress) {
    if (self.by_rows())
      return range_search_part(*shard.index, shard.numbers, queries, radius, metric, options, progress);
    return shard.index->range_search(queries.slice(part.first, part.count), radius, metric,
                                     options_of(part, options, progress));
  };
  RangeNeighbors all = self.shards.within(queries.rows, metric, options.ordered, options.progress, ask);
  all.report.times.total_milliseconds = stopwatch.milliseconds();
  return all;
}

}  // namespace proxel
