// Rows that are added to an index of several devices, removed from it, and taken out of it.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "index/check_search.hpp"
#include "search/check.hpp"
#include "session/stopwatch.hpp"
#include "sharding/implementation.hpp"

namespace proxel {

using namespace sharding;

namespace {

bool is_out_of_memory(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.code() == ErrorCode::out_of_memory;
  } catch (...) {
    return false;
  }
}

}  // namespace

void ShardedIndex::Implementation::add_to_all(const MatrixView<float>& added, const Progress& progress) {
  for (Shard& shard : shards)
    if (!Index::fits(*shard.device, rows + added.rows, dimensions, options.index))
      throw Error(ErrorCode::out_of_memory, shard.device->info().id,
                  fmt::format("{} rows and {} more do not fit the memory limit of the index", rows, added.rows));
  // What ends the call may come when a device, or each of them, has taken the rows already.
  const auto has_taken = [&](const Shard& shard) { return shard.index->rows() == rows + added.rows; };
  const auto count_them = [&] {
    for (Shard& shard : shards) shard.numbers.append(rows, added.rows);
    rows += added.rows;
  };
  try {
    each(progress, added.rows, [&](Shard& shard, std::size_t, const Progress& told) { shard.index->add(added, told); });
  } catch (const std::exception& error) {
    if (std::ranges::all_of(shards, has_taken))
      count_them();
    else if (std::ranges::any_of(shards, has_taken))
      broken =
          fmt::format("rows were added to some of its devices and not to others, where it failed: {}", error.what());
    throw;
  } catch (...) {
    if (std::ranges::all_of(shards, has_taken))
      count_them();
    else if (std::ranges::any_of(shards, has_taken))
      broken = "rows were added to some of its devices when adding was ended";
    throw;
  }
  count_them();
}

void ShardedIndex::Implementation::add_to_one(const MatrixView<float>& added, const Progress& progress) {
  std::vector<Shard*> emptiest;
  for (Shard& shard : shards)
    if (shard.share > 0) emptiest.push_back(&shard);
  std::stable_sort(emptiest.begin(), emptiest.end(), [](const Shard* one, const Shard* other) {
    return static_cast<double>(one->numbers.size()) * other->share <
           static_cast<double>(other->numbers.size()) * one->share;
  });
  std::exception_ptr first_failure;
  for (Shard* shard : emptiest) {
    const auto fill = [&](const Progress& told) {
      if (shard->index) {
        shard->index->add(added, told);
        return;
      }
      if (!Index::fits(*shard->device, added.rows, dimensions, options.index))
        throw Error(ErrorCode::out_of_memory, "rows",
                    fmt::format("{} do not fit the memory limit of the index", added.rows));
      shard->index.emplace(*shard->device, added, options.index, told);
    };
    const auto count_them = [&] {
      shard->numbers.append(rows, added.rows);
      rows += added.rows;
    };
    try {
      do_all({{shard->device->info().id, 1, fill}}, progress, added.rows);
      return count_them();
    } catch (...) {
      // What ends the call may come when the device has taken the rows already.
      if (shard->index && shard->index->rows() == shard->numbers.size() + added.rows) {
        count_them();
        throw;
      }
      if (!first_failure) first_failure = std::current_exception();
      if (!is_out_of_memory(first_failure)) throw;
    }
  }
  std::rethrow_exception(first_failure);
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
  if (self.by_rows())
    self.add_to_one(added, progress);
  else
    self.add_to_all(added, progress);
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
  std::vector<std::uint32_t> mine;
  for (Shard& shard : self.shards) {
    if (!shard.index) continue;
    mine.clear();
    for (const std::uint32_t number : removed)
      if (const auto row = shard.numbers.row_of(number)) mine.push_back(*row);
    const std::uint64_t of_shard = shard.index->remove(mine);
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
  return numbers;
}

std::vector<std::uint32_t> ShardedIndex::compact(const Progress& progress) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  const session::Stopwatch stopwatch;
  Implementation& self = *implementation_;
  if (!self.broken.empty()) self.require_whole();
  if (self.removed == self.rows) throw Error(ErrorCode::invalid_argument, "compact", "every row has been removed");
  if (self.removed == 0) {
    std::vector<std::uint32_t> same(rows());
    std::iota(same.begin(), same.end(), 0u);
    return same;
  }
  self.compacted.resize(self.shards.size());
  try {
    self.each(progress, self.rows, [&](Shard& shard, std::size_t i, const Progress& told) {
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
