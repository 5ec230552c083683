#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "proxel/device.hpp"
#include "proxel/selection.hpp"
#include "strings/string_distances.hpp"

namespace proxel::strings {

/// Of one search: how many queries, how long.
struct StringSearchDescription {
  std::uint32_t queries = 0;
  std::uint32_t longest_query = 0;
  std::uint64_t k = 1;
  std::uint64_t scratch_limit = 0;

  bool operator==(const StringSearchDescription&) const = default;
};

struct StringSearchBuffers {
  BufferView symbols;    ///< read: 32-bit, the queries' symbols by their numbers
  BufferView offsets;    ///< read: 32-bit [queries + 1]
  BufferView scratch;    ///< clobbered
  BufferView indices;    ///< written: 32-bit [queries x k]
  BufferView distances;  ///< written: binary32 [queries x k]
};

/// Brute force: tables of the queries, all distances of some queries at a time, the
/// k smallest of each.
class StringSearch {
 public:
  StringSearch(Device& device, const StoredStrings& strings,
               const StringSearchDescription& description);

  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  void record(Recording& recording, const StringSearchBuffers& buffers) const;

 private:
  const StoredStrings& strings_;
  StringSearchDescription description_;
  StringDistances distances_;
  std::optional<SelectionPlan> select_, select_last_;
  std::uint64_t carries_offset_ = 0;
  std::uint64_t distances_offset_ = 0;
  std::uint64_t selection_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel::strings
