#include "sharding/answers.hpp"

#include <vector>

#include "passes/decoded_distance.hpp"
#include "proxel/merge.hpp"
#include "session/compute_times.hpp"

namespace proxel::sharding {
namespace {

void append(const RangeNeighbors& from, RangeNeighbors& to) {
  const std::uint64_t before = to.indices.size();
  for (std::size_t query = 1; query < from.offsets.size(); ++query) to.offsets.push_back(before + from.offsets[query]);
  to.indices.insert(to.indices.end(), from.indices.begin(), from.indices.end());
  to.distances.insert(to.distances.end(), from.distances.begin(), from.distances.end());
}

}  // namespace

void add_device(SearchReport& all, const SearchReport& report) {
  session::add(all, report);
  if (all.method.empty()) all.method = report.method;
  all.devices.push_back({report.method.empty() ? 0u : 1u, report.times.compute_milliseconds});
}

Neighbors merged(std::span<const Neighbors> parts, std::uint64_t k, Metric metric) {
  std::vector<PartialAnswer> asked;
  for (const Neighbors& part : parts)
    if (part.indices.columns() != 0) asked.push_back({part});
  Neighbors all = merge(asked, k, metric);
  all.report = {};
  add_devices(all.report, parts);
  return all;
}

RangeNeighbors merged(std::span<const RangeNeighbors> parts, std::uint64_t queries, Metric metric, bool ordered) {
  const bool largest = largest_first(accumulated(metric));
  const std::uint32_t finish = ordered ? passes::finish_none : passes::finish_of(metric);
  RangeNeighbors all;
  all.offsets.assign(1, 0);
  std::vector<std::uint64_t> keys, of_part, both;
  for (std::uint64_t query = 0; query < queries; ++query) {
    keys.clear();
    for (const RangeNeighbors& part : parts) {
      if (part.offsets.empty()) continue;
      of_part.clear();
      for (std::uint64_t i = part.offsets[query]; i < part.offsets[query + 1]; ++i)
        of_part.push_back(passes::make_key(passes::distance_key(part.distances[i], largest), part.indices[i]));
      both.resize(keys.size() + of_part.size());
      std::ranges::merge(keys, of_part, both.begin());
      keys.swap(both);
    }
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const std::uint64_t key : keys) {
      all.indices.push_back(passes::index_of(key));
      all.distances.push_back(passes::decoded_distance(key, largest, finish));
    }
    all.offsets.push_back(all.indices.size());
  }
  return all;
}

RangeNeighbors joined(std::span<const RangeNeighbors> parts) {
  RangeNeighbors all;
  all.offsets.assign(1, 0);
  for (const RangeNeighbors& part : parts) append(part, all);
  return all;
}

}  // namespace proxel::sharding
