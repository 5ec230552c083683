#pragma once

// Rows that are added to the indexes of several devices, and strings that are removed.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "proxel/error.hpp"
#include "sharding/shards.hpp"

namespace proxel::sharding {

/// What the exception at hand says.
std::string message_of(const std::exception_ptr& failure);
bool is_out_of_memory(const std::exception_ptr& failure);

/// Adds rows to each index, where queries are divided. Where it fails when some have them and others have not, there
/// will be no more answers.
/// @param rows  that there were, which becomes those there are, also where what ends the call came when all was done
/// @param held  (index) -> rows that it has
/// @param fill  (shard, progress): adds them to its index
template <typename IndexOf, typename Held, typename Fill>
void add_to_all(Shards<IndexOf>& shards, std::uint64_t& rows, std::uint64_t added, const Progress& progress,
                const Held& held, const Fill& fill) {
  const std::uint64_t before = held(shards.any());
  // What ends the call may come when a device, or each of them, has taken the rows already.
  const auto has_taken = [&](const auto& shard) { return held(*shard.index) == before + added; };
  const auto count_them = [&] {
    for (auto& shard : shards) shard.numbers.append(rows, added);
    rows += added;
  };
  try {
    shards.each(progress, added, [&](auto& shard, std::size_t, const Progress& told) { fill(shard, told); });
  } catch (...) {
    if (std::ranges::all_of(shards, has_taken))
      count_them();
    else if (std::ranges::any_of(shards, has_taken))
      shards.broke(fmt::format("rows were added to some of its devices and not to others, where it failed: {}",
                               message_of(std::current_exception())));
    throw;
  }
  count_them();
}

/// Adds rows to the index of one device, where rows are divided: of that which has the fewest for its share, or of the
/// next that has room.
/// @param rows  as above
/// @param held  as above
/// @param fill  (shard, progress): adds them to its index, or makes one of them
template <typename IndexOf, typename Held, typename Fill>
void add_to_one(Shards<IndexOf>& shards, std::uint64_t& rows, std::uint64_t added, const Progress& progress,
                const Held& held, const Fill& fill) {
  const auto held_by = [&](const ShardOf<IndexOf>& shard) { return shard.index ? held(*shard.index) : 0; };
  std::vector<ShardOf<IndexOf>*> emptiest;
  for (auto& shard : shards)
    if (shard.share > 0) emptiest.push_back(&shard);
  std::ranges::stable_sort(emptiest, [&](const auto* one, const auto* other) {
    return static_cast<double>(held_by(*one)) * other->share < static_cast<double>(held_by(*other)) * one->share;
  });
  std::exception_ptr first_failure;
  for (auto* shard : emptiest) {
    const std::uint64_t before = held_by(*shard);
    const auto count_them = [&] {
      shard->numbers.append(rows, added);
      rows += added;
    };
    try {
      do_all({{shard->device->info().id, 1, [&](const Progress& told) { fill(*shard, told); }}}, progress, added);
      return count_them();
    } catch (...) {
      // What ends the call may come when the device has taken the rows already.
      if (held_by(*shard) == before + added) {
        count_them();
        throw;
      }
      if (!first_failure) first_failure = std::current_exception();
      if (!is_out_of_memory(first_failure)) throw;
    }
  }
  std::rethrow_exception(first_failure);
}

/// Removes strings from each index that has them. Returns how many there were. Where it fails when some have lost them
/// and others not, there will be no more answers.
/// @param numbers  of all strings, each of which has been given
template <typename IndexOf>
std::uint64_t remove_from_each(Shards<IndexOf>& shards, std::span<const std::uint32_t> numbers) {
  std::uint64_t removed = 0;
  bool begun = false;
  try {
    for (auto& shard : shards) {
      const std::vector<std::uint32_t> mine = shard.numbers.rows_of(numbers);
      if (mine.empty()) continue;
      const std::uint64_t of_shard = shard.index->remove(mine);
      begun = true;
      removed = shards.by_rows() ? removed + of_shard : of_shard;
    }
  } catch (...) {
    if (begun)
      shards.broke(fmt::format("strings were removed from some of its devices and not from others, where it failed: {}",
                               message_of(std::current_exception())));
    throw;
  }
  return removed;
}

/// Of the device that took the longest, milliseconds.
template <typename IndexOf>
double longest_build(const Shards<IndexOf>& shards) {
  double longest = 0;
  for (const auto& shard : shards)
    if (shard.index) longest = std::max(longest, shard.index->build_milliseconds());
  return longest;
}

}  // namespace proxel::sharding
