#include "sharding/gathered.hpp"

#include <algorithm>

namespace proxel::sharding {

Gathered::Gathered(std::uint64_t queries, std::uint64_t k, Metric metric, bool merges, search::KeptThreads& threads)
    : queries_(queries), k_(k), metric_(metric), merges_(merges), kept_(threads), room_(queries, k) {}

Neighbors& Gathered::room() {
  const std::scoped_lock lock(making_);
  Neighbors& all = room_.get();
  if (threads_) return all;
  if (merges_) search::RowMerge(largest_first(accumulated(metric_))).pad(all, 0, queries_);
  has_.resize(queries_);
  threads_.emplace(queries_, k_, kept_);
  return all;
}

void Gathered::make_room() { room(); }

Neighbors Gathered::take() {
  room();
  return room_.take();
}

void Gathered::add(const search::OrderedRows& found, std::uint64_t first, const RowNumbers& numbers) {
  Neighbors& all = room();
  const std::scoped_lock lock(adding_);
  threads_->run(found.rows, [&](std::uint64_t begin, std::uint64_t count) {
    for (std::uint64_t row = begin; row < begin + count;) {
      const auto has = has_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto from = has + static_cast<std::ptrdiff_t>(row), to = has + static_cast<std::ptrdiff_t>(begin + count);
      const auto alike = static_cast<std::uint64_t>(std::find(from, to, !*from) - from);
      const std::uint64_t slot = row * found.columns;
      const search::OrderedRows some{found.indices + slot, found.distances + slot, alike, found.columns};
      if (*from)
        merge(some, first + row, numbers, all);
      else
        copy(some, first + row, numbers, all);
      std::fill_n(from, alike, char{merges_});
      row += alike;
    }
  });
}

void Gathered::copy(const search::OrderedRows& found, std::uint64_t first, const RowNumbers& numbers,
                    Neighbors& all) const {
  const std::uint64_t columns = std::min(found.columns, k_);
  for (std::uint64_t row = 0; row < found.rows; ++row) {
    std::uint32_t* const indices = all.indices.data() + (first + row) * k_;
    std::copy_n(found.indices + row * found.columns, columns, indices);
    std::copy_n(found.distances + row * found.columns, columns, all.distances.data() + (first + row) * k_);
    numbers.to_numbers({indices, columns});
  }
}

void Gathered::merge(const search::OrderedRows& found, std::uint64_t first, const RowNumbers& numbers,
                     Neighbors& all) const {
  std::vector<std::uint32_t> indices(found.indices, found.indices + found.rows * found.columns);
  numbers.to_numbers(indices);
  search::RowMerge(largest_first(accumulated(metric_)))
      .add({indices.data(), found.distances, found.rows, found.columns}, all, first);
}

}  // namespace proxel::sharding
