#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "proxel/device.hpp"
#include "proxel/passes.hpp"
#include "proxel/selection.hpp"
#include "strings/packed_strings.hpp"

namespace proxel::strings {

/// Strings in device memory.
struct StoredStrings {
  StoredStrings(Device& device, const PackedStrings& packed, const Alphabet& alphabet);

  std::uint64_t count;
  std::uint32_t alphabet;
  std::uint32_t longest;
  std::uint32_t symbol_bytes;
  std::unique_ptr<Buffer> symbols, block_lines, lengths, numbers;
};

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

  /// Queries whose tables take no more than a quarter of the scratch memory.
  static std::uint32_t queries_at_once(const StoredStrings& strings, std::uint64_t longest_query,
                                       std::uint64_t scratch_limit);

  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  void record(Recording& recording, const StringSearchBuffers& buffers) const;

 private:
  void record_distances(Recording& recording, const StringSearchBuffers& buffers,
                        std::uint32_t first, std::uint32_t count) const;

  const StoredStrings& strings_;
  StringSearchDescription description_;
  std::uint32_t words_;        // of a table
  std::uint32_t chunk_ = 1;    // queries whose distances are there at once
  std::uint32_t groups_ = 1;   // workgroups per query
  std::optional<SelectionPlan> select_, select_last_;
  std::uint64_t carries_offset_ = 0;
  std::uint64_t distances_offset_ = 0;
  std::uint64_t selection_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel::strings
