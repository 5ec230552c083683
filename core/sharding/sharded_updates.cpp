// Rows that are added to an index of several devices, removed from it, and taken out of it.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "index/check_search.hpp"
#include "search/check.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"
#include "sharding/shard_updates.hpp"

namespace proxel {

using namespace sharding;

namespace sharding {

std::string message_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "its progress ended it";
  }
}

bool is_out_of_memory(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.code() == ErrorCode::out_of_memory;
  } catch (...) {
    return false;
  }
}

}  // namespace sharding

void ShardedIndex::Implementation::add(const MatrixView<float>& added, const Progress& progress) {
  const auto held = [](const Index& index) { return index.rows(); };
  if (by_rows())
    return add_to_one(shards, rows, added.rows, progress, held, [&](Shard& shard, const Progress& told) {
      if (shard.index) {
        shard.index->add(added, told);
        return;
      }
      if (!Index::fits(*shard.device, added.rows, dimensions, options.index))
        throw Error(ErrorCode::out_of_memory, "rows",
                    fmt::format("{} do not fit the memory limit of the index", added.rows));
      shard.index.emplace(*shard.device, added, options.index, told);
    });
  for (Shard& shard : shards)
    if (!Index::fits(*shard.device, rows + added.rows, dimensions, options.index))
      throw Error(ErrorCode::out_of_memory, shard.device->info().id,
                  fmt::format("{} rows and {} more do not fit the memory limit of the index", rows, added.rows));
  add_to_all(shards, rows, added.rows, progress, held,
             [&](Shard& shard, const Progress& told) { shard.index->add(added, told); });
}

std::uint64_t ShardedIndex::add(MatrixView<float> added, const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  self.require_whole();
  const std::uint64_t before = rows();
  index::check_added(added, self.dimensions);
  if (added.rows == 0) return before;
  search::require_range("rows", before + added.rows, 1, search::most_rows);
  try {
    self.add(added, progress);
  } catch (...) {
    self.tell_rows();  // what ended the call may have come when a device had taken them
    throw;
  }
  self.tell_rows();
  self.build_milliseconds += stopwatch.milliseconds();
  return before;
}

std::uint64_t ShardedIndex::remove(std::span<const std::uint32_t> removed) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  self.require_whole();
  for (const std::uint32_t row : removed)
    if (row >= rows())
      throw Error(ErrorCode::invalid_argument, "rows", fmt::format("{} is not one of the {} rows", row, rows()));
  // All can, before the first does.
  for (Shard& shard : self.shards)
    if (shard.index) shard.index->remove({});
  std::uint64_t gone = 0;
  for (Shard& shard : self.shards) {
    if (!shard.index) continue;
    const std::uint64_t of_shard = shard.index->remove(shard.numbers.rows_of(removed));
    gone = self.by_rows() ? gone + of_shard : of_shard;
  }
  self.removed += gone;
  return gone;
}

std::vector<std::uint32_t> ShardedIndex::Implementation::renumber() {
  std::vector<std::uint32_t> numbers(rows, no_neighbor);
  const auto for_rows_left = [&](std::size_t i, const auto& visit) {
    for (std::uint64_t row = 0; row < compacted[i]->size(); ++row)
      if ((*compacted[i])[row] != no_neighbor) visit(shards[i].numbers.number(row));
  };
  for (std::size_t i = 0; i < shards.size(); ++i)
    if (compacted[i]) for_rows_left(i, [&](std::uint32_t number) { numbers[number] = 0; });
  std::uint32_t next = 0;
  for (std::uint32_t& number : numbers)
    if (number != no_neighbor) number = next++;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (!compacted[i]) continue;
    RowNumbers left;
    for_rows_left(i, [&](std::uint32_t number) { left.append(numbers[number], 1); });
    shards[i].numbers = std::move(left);
    if (shards[i].numbers.size() == 0) shards[i].index.reset();
  }
  rows = next;
  removed = 0;
  tell_rows();
  return numbers;
}

std::vector<std::uint32_t> ShardedIndex::compact(const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  self.shards.require_whole();
  if (self.removed == self.rows) throw Error(ErrorCode::invalid_argument, "compact", "every row has been removed");
  if (self.removed == 0) {
    std::vector<std::uint32_t> same(rows());
    std::iota(same.begin(), same.end(), 0u);
    return same;
  }
  self.compacted.resize(self.shards.size());
  try {
    self.shards.each(progress, self.rows, [&](Shard& shard, std::size_t i, const Progress& told) {
      if (self.compacted[i]) return;
      // A device of whose rows none is left gives its index up when all are done.
      if (shard.index->removed_rows() == shard.index->rows())
        self.compacted[i].emplace(shard.index->rows(), no_neighbor);
      else
        self.compacted[i] = shard.index->compact(told);
    });
  } catch (...) {
    // What ended the call may have come when all were done.
    bool all_done = true;
    for (std::size_t i = 0; i < self.shards.size(); ++i)
      all_done = all_done && (!self.shards[i].index || self.compacted[i]);
    if (all_done) {
      self.renumber();
      self.compacted.clear();
      throw;
    }
    if (std::none_of(self.compacted.begin(), self.compacted.end(), [](const auto& done) { return done.has_value(); }))
      self.compacted.clear();
    throw;
  }
  std::vector<std::uint32_t> numbers = self.renumber();
  self.compacted.clear();
  self.build_milliseconds += stopwatch.milliseconds();
  return numbers;
}

}  // namespace proxel
