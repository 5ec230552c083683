#include "proxel/sharded_strings.hpp"

#include <algorithm>

#include "in_use.hpp"
#include "session/stopwatch.hpp"
#include "sharding/objects.hpp"
#include "sharding/shard_updates.hpp"
#include "strings/string_searcher.hpp"
#include "strings/string_store.hpp"

namespace proxel {

using namespace sharding;

struct ShardedStringIndex::Implementation {
  InUse in_use;
  ShardedStringOptions options;
  Shards<StringIndex> shards;
  std::uint64_t given;  // numbers that strings have been given
  StringUnits units;
  double build_milliseconds = 0;
  bool changed = false;

  Implementation(std::span<Device* const> devices, const Strings& strings, const ShardedStringOptions& with)
      : options(with),
        shards(devices, with.division, "strings", strings.size()),
        given(strings.size()),
        units(strings.units()) {
    const session::Stopwatch building;
    strings::check(with.index);
    strings::require_lengths(strings);
    constexpr std::uint64_t fewest_tried = 1024;
    shards.make(given, with.shares, trial_of<StringIndex>(strings, fewest_tried, with.index), 1, {},
                [&](Device& device, Part part, const Progress&) {
      return part.of(strings, [&](const Strings& mine) { return StringIndex(device, mine, options.index); });
    });
    build_milliseconds = building.milliseconds();
  }
};

ShardedStringIndex::ShardedStringIndex(std::span<Device* const> devices, const Strings& strings,
                                       const ShardedStringOptions& options)
    : implementation_(std::make_unique<Implementation>(devices, strings, options)) {}
ShardedStringIndex::~ShardedStringIndex() = default;
ShardedStringIndex::ShardedStringIndex(ShardedStringIndex&&) noexcept = default;
ShardedStringIndex& ShardedStringIndex::operator=(ShardedStringIndex&&) noexcept = default;

Neighbors ShardedStringIndex::search(const Strings& queries, std::uint64_t k, const Progress& progress) {
  return searched(*implementation_, [&] { return nearest_objects(implementation_->shards, queries, k, progress); });
}

RangeNeighbors ShardedStringIndex::range_search(const Strings& queries, float radius, const Progress& progress) {
  return searched(*implementation_, [&] { return objects_within(implementation_->shards, queries, radius, progress); });
}

std::uint32_t ShardedStringIndex::add(const Strings& strings) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  self.shards.require_whole();
  strings::require_addable(strings, self.units, self.given);
  const auto first = static_cast<std::uint32_t>(self.given);
  if (strings.size() == 0) return first;
  const auto held = [](const StringIndex& index) { return index.size(); };
  const auto fill = [&](ShardOf<StringIndex>& shard, const Progress&) {
    if (shard.index)
      shard.index->add(strings);
    else
      shard.index.emplace(*shard.device, strings, self.options.index);
  };
  self.changed = true;
  if (self.shards.by_rows())
    add_to_one(self.shards, self.given, strings.size(), {}, held, fill);
  else
    add_to_all(self.shards, self.given, strings.size(), {}, held, fill);
  return first;
}

std::uint64_t ShardedStringIndex::remove(std::span<const std::uint32_t> numbers) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  self.shards.require_whole();
  strings::require_given(numbers, self.given);
  self.changed = true;
  return remove_from_each(self.shards, numbers);
}

std::string ShardedStringIndex::text(std::uint32_t number) const {
  for (const auto& shard : implementation_->shards)
    if (const auto row = shard.numbers.row_of(number)) try {
        return shard.index->text(*row);
      } catch (const Error&) {
        break;  // it was removed, and is numbered otherwise there
      }
  strings::fail_for_missing(number);
}

std::uint64_t ShardedStringIndex::size() const {
  std::uint64_t all = 0;
  for (const auto& shard : implementation_->shards)
    if (shard.index) all = implementation_->shards.by_rows() ? all + shard.index->size() : shard.index->size();
  return all;
}
StringUnits ShardedStringIndex::units() const { return implementation_->units; }
Division ShardedStringIndex::division() const { return implementation_->shards.division(); }
std::vector<ShardInfo> ShardedStringIndex::shards() const { return implementation_->shards.infos(); }
std::uint64_t ShardedStringIndex::parts() const {
  std::uint64_t most = 1;
  for (const ShardOf<StringIndex>& shard : implementation_->shards)
    if (shard.index) most = std::max(most, shard.index->parts());
  return most;
}

double ShardedStringIndex::build_milliseconds() const {
  return implementation_->changed ? longest_build(implementation_->shards) : implementation_->build_milliseconds;
}

}  // namespace proxel
