#pragma once

// One index of strings over several devices: the answers of one index, to the bit.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "proxel/division.hpp"
#include "proxel/export.h"
#include "proxel/strings.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

using ShardedStringOptions = ShardedOptionsOf<StringIndexOptions>;

/// Strings on several devices of any kinds, searched as one StringIndex: the same neighbours, distances, counts and
/// numbers of strings, to the bit, however they are divided. Devices work at once, and fail, as those of a ShardedIndex.
///
/// Used by one thread at a time.
class ShardedStringIndex {
 public:
  /// Uploads the strings, or parts of them, and keeps a copy in host memory: one of each part, or where queries are
  /// divided one for each device.
  /// @param devices  1 … 64, each once; they outlive the index. One that is opened twice counts as two
  /// @param strings  1 … 2^32-2 of them, as StringIndex has them
  /// Throws as StringIndex does, and Error(invalid_argument) for devices and shares.
  ShardedStringIndex(std::span<Device* const> devices, const Strings& strings,
                     const ShardedStringOptions& options = {});
  ~ShardedStringIndex();
  ShardedStringIndex(ShardedStringIndex&&) noexcept;
  ShardedStringIndex& operator=(ShardedStringIndex&&) noexcept;

  /// StringIndex::search(). The report adds up the devices' work; its devices are in their order.
  Neighbors search(const Strings& queries, std::uint64_t k, const Progress& progress = {});
  /// StringIndex::range_search().
  RangeNeighbors range_search(const Strings& queries, float radius, const Progress& progress = {});

  /// StringIndex::add(). Where rows are divided all of them go to one device: that which has the fewest for its share.
  /// Where host memory ends this or remove() when some devices have changed and others not, the index answers nothing
  /// any more, and every call says so.
  std::uint32_t add(const Strings& strings);
  /// StringIndex::remove().
  std::uint64_t remove(std::span<const std::uint32_t> numbers);

  /// String `number`, while it is there. Throws Error(invalid_argument).
  std::string text(std::uint32_t number) const;
  /// Strings that are there.
  std::uint64_t size() const;
  StringUnits units() const;
  Division division() const;
  /// What each device has; strings that have been removed still count there.
  std::vector<ShardInfo> shards() const;
  /// StringIndex::parts() of the device that has the most of them.
  std::uint64_t parts() const;
  /// Host time that trying the devices, uploading and packing took, milliseconds; once strings have been added or
  /// removed, StringIndex::build_milliseconds() of the device that took the longest.
  double build_milliseconds() const;

 private:
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
