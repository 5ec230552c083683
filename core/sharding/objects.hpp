#pragma once

// What indexes of strings, signatures and permutations over several devices have in common.

#include <algorithm>
#include <memory>

#include "in_use.hpp"
#include "session/stopwatch.hpp"
#include "sharding/shards.hpp"

namespace proxel::sharding {

/// Where rows are divided their distances order as l1's do: the smallest first, and finished as they are.
inline constexpr Metric object_metric = Metric::l1;

/// @param fewest  objects to begin with
/// @param make    makes an index of a sample on a device; @param search  has it searched for some of that
template <typename Objects, typename Make, typename Search>
Trial trial_of(const Objects& objects, std::uint64_t fewest, const Make& make, const Search& search) {
  return {fewest, [&objects, make, search](Device& device, std::uint64_t rows) -> std::function<void()> {
    const Objects sample = objects.slice(0, rows);
    using IndexOf = decltype(make(device, sample));
    return [index = std::make_shared<IndexOf>(make(device, sample)), search,
            queries = sample.slice(0, std::min(rows, Trial::queries))] { search(*index, queries); };
  }};
}
template <typename IndexOf, typename Objects, typename Options>
Trial trial_of(const Objects& objects, std::uint64_t fewest, Options options) {
  options.timing = Timing::none;
  return trial_of(objects, fewest, [options](Device& device, const Objects& sample) {
    return IndexOf(device, sample, options);
  }, [](IndexOf& index, const Objects& queries) { index.search(queries, Trial::k); });
}

/// @param with  what else a search says: a fraction
template <typename IndexOf, typename Objects, typename... With>
Neighbors nearest_objects(Shards<IndexOf>& shards, const Objects& queries, std::uint64_t k, const Progress& progress,
                          const With&... with) {
  search::require_range("k", k, 1, search::most_rows);
  return shards.nearest(count_of(queries), k, object_metric, progress,
                        [&](ShardOf<IndexOf>& shard, Part part, const Progress& told, const auto& take) {
    Neighbors found =
        part.of(queries, [&](const Objects& asked) { return shard.index->search(asked, k, with..., told); });
    take(search::rows_of(found), 0);
    return std::move(found.report);
  });
}

template <typename IndexOf, typename Objects, typename... With>
RangeNeighbors objects_within(Shards<IndexOf>& shards, const Objects& queries, float radius, const Progress& progress,
                              const With&... with) {
  search::require_radius(radius);
  return shards.within(count_of(queries), object_metric, true, progress,
                       [&](ShardOf<IndexOf>& shard, Part part, const Progress& told) {
    RangeNeighbors found =
        part.of(queries, [&](const Objects& asked) { return shard.index->range_search(asked, radius, with..., told); });
    shard.numbers.to_numbers(found.indices);
    return found;
  });
}

/// Has an index over several devices searched: it is in use meanwhile, and the time that the call takes is told.
/// @param of      its implementation: in_use and shards
/// @param search  () -> what is found, with its report
template <typename Implementation, typename Search>
auto searched(Implementation& of, const Search& search) {
  const InUse::Scope in_use(of.in_use, "index");
  const session::Stopwatch stopwatch;
  of.shards.require_whole();
  auto found = search();
  found.report.times.total_milliseconds = stopwatch.milliseconds();
  return found;
}

}  // namespace proxel::sharding
