// The nearest among rows of several devices.
#include "index/check_search.hpp"
#include "proxel/merge.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"
#include "sharding/part_search.hpp"

namespace proxel {

using namespace sharding;

Neighbors ShardedIndex::Implementation::search_by_rows(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                                                       const SearchOptions& with) {
  check_divisible(with);
  const IndexOptions& each_has = options.index;
  if (each_has.papers.garcia.distances_only && each_has.method != Method::automatic)
    throw Error(ErrorCode::unsupported, "distances_only",
                "answers of several devices are merged by their rows' numbers");
  Keys keys;
  if (with.after)
    keys = keys_behind(with, queries, metric, rows,
                       [this](std::span<const std::uint32_t> numbers) { return read_rows(numbers); });
  const auto ask = [&](Shard& shard, Part, const Progress& progress, const index::TakeAnswers& take) {
    return search_part(*shard.index, shard.numbers, queries, k, metric, with, with.after ? &keys : nullptr, progress,
                       take);
  };
  Neighbors merged = shards.nearest(queries.rows, k, metric, with.progress, ask);
  if (!with.ordered) finish(merged, metric);
  return merged;
}

Neighbors ShardedIndex::Implementation::search_by_queries(std::uint64_t queries, std::uint64_t k, Metric metric,
                                                          const SearchOptions& with, const SearchPartOf& search) {
  const auto ask = [&](Shard& shard, Part part, const Progress& progress, const index::TakeAnswers& take) {
    SearchOptions mine = options_of(part, with, progress);
    Neighbors after;
    if (with.after) {
      after = slice(*with.after, part.first, part.count);
      mine.after = &after;
    }
    return search(*shard.index, part, mine, take);
  };
  return shards.nearest(queries, k, metric, with.progress, ask);
}

Neighbors ShardedIndex::search(MatrixView<float> queries, std::uint64_t k, Metric metric,
                               const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  self.require_whole();
  index::check_queries(queries, self.dimensions);
  index::check_options(options, queries.rows, self.rows);
  const auto search_part = [&](Index& of, Part part, const SearchOptions& with, const index::TakeAnswers& take) {
    return index::PartOfMore::search(of, queries.slice(part.first, part.count), k, metric, with, take);
  };
  Neighbors found = self.by_rows() ? self.search_by_rows(queries, k, metric, options)
                                   : self.search_by_queries(queries.rows, k, metric, options, search_part);
  found.report.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

Neighbors ShardedIndex::Implementation::search_own_rows(Part rows_asked, std::uint64_t k, Metric metric,
                                                        const SearchOptions& with) {
  return sharding::search_own_rows(rows_asked.first, rows_asked.count, k, dimensions, with,
                                   [this](std::span<const std::uint32_t> numbers) { return read_rows(numbers); },
                                   [&](const MatrixView<float>& queries, const SearchOptions& mine, bool) {
    return search_by_rows(queries, k, metric, mine);
  });
}

Neighbors ShardedIndex::search_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, Metric metric,
                                    const SearchOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  self.require_whole();
  index::check_run(first_row, count, self.rows);
  index::check_options(options, count, self.rows);
  const auto search_part = [&](Index& of, Part part, const SearchOptions& with, const index::TakeAnswers& take) {
    return index::PartOfMore::search_rows(of, first_row + part.first, part.count, k, metric, with, take);
  };
  Neighbors found = self.by_rows() ? self.search_own_rows({first_row, count}, k, metric, options)
                                   : self.search_by_queries(count, k, metric, options, search_part);
  found.report.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

}  // namespace proxel
