#pragma once

#include <cstdint>
#include <memory>

#include "proxel/device.hpp"
#include "proxel/passes/types.h"
#include "strings/packed_strings.hpp"
#include "strings/uploaded_words.hpp"

namespace proxel::strings {

/// Stands for no bound: no distance exceeds it.
inline constexpr std::uint32_t no_bound = 0xFFFFFFFFu;

/// Strings in device memory.
struct StoredStrings {
  StoredStrings(Device& device, const PackedStrings& packed, const Alphabet& alphabet, StringDistance distance);

  StringDistance distance;
  std::uint64_t count;
  std::uint32_t alphabet;
  std::uint32_t longest;
  std::uint32_t symbol_bytes;
  UploadedWords memory;
  std::uint64_t symbols, block_lines, lengths, numbers, places;  // addresses in it
  /// 32-bit [count]: the string at each place.
  BufferView by_place() const { return memory.view(3); }
};

/// Where the memory of some distances lies, addresses.
struct StringAddresses {
  std::uint64_t offsets;  ///< of all queries
  std::uint64_t tables;   ///< of all queries
  std::uint64_t carries;
  std::uint64_t distances;  ///< of the queries at hand
};

/// How the distances of queries to strings are recorded: tables of all queries at once,
/// distances of some at a time.
class StringDistances {
 public:
  /// What distances there are per query.
  struct Items {
    std::uint64_t count = 0;  // all strings, or candidates
    /// Each distance at its place among the candidates, or of its string where there are
    /// none; otherwise by the string's number.
    bool listed = false;
  };
  /// @param limit         bytes that the distances of the queries at hand take, and the carries
  /// @param most_queries  at hand
  StringDistances(const Device& device, const StoredStrings& strings, std::uint32_t queries,
                  std::uint64_t longest_query, Items items, std::uint64_t limit,
                  std::uint32_t most_queries = UINT32_MAX);

  /// Queries whose tables take no more than so many bytes.
  static std::uint32_t queries_at_once(const StoredStrings& strings, std::uint64_t longest_query, std::uint64_t bytes);

  std::uint64_t table_bytes() const;
  std::uint64_t carry_bytes() const { return carry_bytes_; }
  /// Queries that record() takes at most.
  std::uint32_t chunk() const { return chunk_; }

  /// Distances of a query: of the strings, or of its candidates where they are listed.
  std::uint64_t objects() const { return items_.listed ? items_.count : strings_.count; }
  /// Distances from one query to the next: a multiple of 4.
  static std::uint64_t stride_of(std::uint64_t objects) { return (objects + 3) / 4 * 4; }
  std::uint64_t stride() const { return stride_of(objects()); }

  void record_tables(Recording& recording, std::uint64_t symbols, const StringAddresses& at) const;
  /// Distances of `count` queries from `first` on, by number of the string; a NaN for
  /// those past the bound.
  /// @param candidates  of each query alone: their numbers, 32-bit, an address; 0: every string
  /// @param candidate_stride  from one query's to the next's
  void record(Recording& recording, const StringAddresses& at, std::uint32_t first, std::uint32_t count,
              std::uint32_t bound = no_bound, std::uint64_t candidates = 0, std::uint32_t candidate_stride = 0) const;

 private:
  const StoredStrings& strings_;
  std::uint32_t queries_;
  Items items_;
  std::uint32_t words_;  // of a table
  std::uint32_t chunk_ = 1;
  std::uint32_t groups_ = 1;  // workgroups per query
  std::uint64_t carry_bytes_ = 0;
};

}  // namespace proxel::strings
