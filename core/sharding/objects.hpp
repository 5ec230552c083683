#pragma once

// What indexes of strings and of signatures over several devices have in common.

#include <algorithm>
#include <memory>

#include "sharding/shards.hpp"

namespace proxel::sharding {

/// Their distances order as l1's do: the smallest first, and finished as they are.
inline constexpr Metric object_metric = Metric::l1;

/// @param fewest  objects to begin with
template <typename IndexOf, typename Objects, typename Options>
Trial trial_of(const Objects& objects, Options options, std::uint64_t fewest) {
  options.timing = Timing::none;
  return {fewest, [&objects, options](Device& device, std::uint64_t rows) -> std::function<void()> {
    const Objects sample = objects.slice(0, rows);
    const auto index = std::make_shared<IndexOf>(device, sample, options);
    return [index, queries = sample.slice(0, std::min(rows, Trial::queries))] { index->search(queries, Trial::k); };
  }};
}

template <typename IndexOf, typename Objects>
Neighbors nearest_objects(Shards<IndexOf>& shards, const Objects& queries, std::uint64_t k, const Progress& progress) {
  search::require_range("k", k, 1, search::most_rows);
  return shards.nearest(queries.size(), k, object_metric, progress,
                        [&](ShardOf<IndexOf>& shard, Part part, const Progress& told) {
    Neighbors found = part.of(queries, [&](const Objects& asked) { return shard.index->search(asked, k, told); });
    shard.numbers.to_numbers({found.indices.data(), found.indices.rows() * found.indices.columns()});
    return found;
  });
}

template <typename IndexOf, typename Objects>
RangeNeighbors objects_within(Shards<IndexOf>& shards, const Objects& queries, float radius, const Progress& progress) {
  search::require_radius(radius);
  return shards.within(queries.size(), object_metric, true, progress,
                       [&](ShardOf<IndexOf>& shard, Part part, const Progress& told) {
    RangeNeighbors found =
        part.of(queries, [&](const Objects& asked) { return shard.index->range_search(asked, radius, told); });
    shard.numbers.to_numbers(found.indices);
    return found;
  });
}

}  // namespace proxel::sharding
