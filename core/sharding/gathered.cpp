#include "sharding/gathered.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "search/check.hpp"
#include "search/over_queries.hpp"

namespace proxel::sharding {

Gathered::Gathered(std::uint64_t queries, std::uint64_t k, Metric metric, bool merges)
    : queries_(queries), metric_(metric), merges_(merges), room_(queries, k) {}

Neighbors& Gathered::room() {
  const std::scoped_lock lock(padding_);
  Neighbors& all = room_.get();
  if (merges_ && !padded_) search::RowMerge(largest_first(accumulated(metric_))).pad(all, 0, queries_);
  padded_ = true;
  return all;
}

void Gathered::make_room() { room(); }

Neighbors Gathered::take() {
  room();
  return room_.take();
}

void Gathered::add(const search::OrderedRows& found, std::uint64_t first, const RowNumbers& numbers) {
  Neighbors& all = room();
  if (!merges_) {
    // To start threads would take as long as the copy.
    const std::uint64_t slot = first * found.columns, slots = found.rows * found.columns;
    std::memcpy(all.indices.data() + slot, found.indices, slots * sizeof(std::uint32_t));
    std::memcpy(all.distances.data() + slot, found.distances, slots * sizeof(float));
    numbers.to_numbers({all.indices.data() + slot, slots});
    return;
  }
  search::over_queries(found.rows, found.columns, [&](std::uint64_t begin, std::uint64_t count) {
    const std::uint64_t slot = begin * found.columns, slots = count * found.columns;
    std::vector<std::uint32_t> indices(found.indices + slot, found.indices + slot + slots);
    numbers.to_numbers(indices);
    merge({indices.data(), found.distances + slot, count, found.columns}, first + begin, all);
  });
}

void Gathered::merge(const search::OrderedRows& found, std::uint64_t first, Neighbors& all) {
  search::RowMerge rows(largest_first(accumulated(metric_)));
  const std::uint64_t run = std::max<std::uint64_t>(search::divide_up<std::uint64_t>(queries_, merging_.size()), 1);
  for (std::uint64_t done = 0; done < found.rows;) {
    const std::uint64_t query = first + done, count = std::min(found.rows - done, run - query % run);
    const std::uint64_t slot = done * found.columns;
    const std::scoped_lock lock(merging_[query / run]);
    rows.add({found.indices + slot, found.distances + slot, count, found.columns}, all, query);
    done += count;
  }
}

}  // namespace proxel::sharding
