#pragma once

// From the distances of rows within reach to the matches of a range search, in order.

#include <cstdint>

#include "proxel/device.hpp"
#include "proxel/passes/range_collect.h"

namespace proxel::search {

/// The largest distance key, of what the metric accumulates, whose distance as it is returned
/// is within the radius, which is not NaN.
std::uint32_t limit_key(Metric metric, float radius);

/// Distances of some queries to some rows in device memory.
struct RangeChunk {
  std::uint64_t keys = 0;         // address, 16-byte aligned
  std::uint32_t keys_stride = 0;  // a multiple of 4
  std::uint32_t content = passes::range_keys;
  std::uint32_t first_query = 0;
  std::uint32_t queries = 0;
  std::uint32_t first_index = 0;
  std::uint32_t columns = 0;
  std::uint64_t rows = 0;  // address: of each column, rows_stride apart; 0: they follow first_index
  std::uint32_t rows_stride = 0;
};

/// The matches of one search: counted chunk by chunk, given their places, written chunk
/// by chunk, sorted. What barriers are between is the caller's.
struct RangeMatches {
  std::uint32_t queries = 0;
  std::uint64_t rows = 0;
  std::uint32_t limit = 0;  // the largest distance key that matches
  bool largest_first = false;
  std::uint32_t finish = passes::finish_none;
  std::uint64_t filter_bits = 0;  // address; 0: none
  std::uint32_t filter_stride = 0;
  std::uint32_t wanted_groups = 1;  // workgroups that keep the device busy
  BufferView counters;              // scratch_bytes(queries)
  BufferView offsets;               // as in SearchBuffers
  BufferView indices;
  BufferView distances;

  static std::uint64_t scratch_bytes(std::uint32_t queries) { return std::uint64_t{queries} * 4; }
  std::uint64_t capacity() const;

  /// Before anything is counted, and again before anything is written.
  void record_reset(Recording& recording) const;
  void record_count(Recording& recording, const RangeChunk& chunk) const { record_collect(recording, chunk, false); }
  void record_write(Recording& recording, const RangeChunk& chunk) const { record_collect(recording, chunk, true); }
  /// Records the offsets of queries all of whose rows have been counted; those of the queries before them stand.
  void record_offsets(Recording& recording, std::uint32_t first_query, std::uint32_t count) const;
  /// Brings what was written into order, and keys back to distances; a barrier comes first.
  void record_sort(Recording& recording) const;

 private:
  void record_collect(Recording& recording, const RangeChunk& chunk, bool writes) const;
};

}  // namespace proxel::search
