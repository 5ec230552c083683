#include "search/range_matches.hpp"

#include <algorithm>

#include "passes/finish_bound.hpp"
#include "proxel/passes/range_collect.h"
#include "proxel/passes/range_decode.h"
#include "proxel/passes/range_offsets.h"
#include "proxel/passes/range_sort.h"
#include "search/check.hpp"
#include "search/occupancy.hpp"

namespace proxel::search {

std::uint32_t limit_key(Metric metric, float radius) {
  return passes::distance_key(passes::last_seen_within(radius, passes::finish_of(metric)),
                              largest_first(accumulated(metric)));
}

std::uint64_t RangeMatches::capacity() const { return std::min(indices.bytes, distances.bytes) / 4; }

void RangeMatches::record_reset(Recording& recording) const {
  recording.fill(counters.part(0, scratch_bytes(queries)), 0);
}

void RangeMatches::record_collect(Recording& recording, const RangeChunk& chunk, bool writes) const {
  passes::RangeCollectParameters collect{};
  collect.keys = chunk.keys;
  if (filter_bits != 0) {
    collect.filter_stride = filter_stride;
    collect.filter_bits = filter_bits + std::uint64_t{chunk.first_query} * filter_stride * 4;
  }
  collect.counters = counters.address() + std::uint64_t{chunk.first_query} * 4;
  if (writes) {
    collect.offsets = offsets.address() + std::uint64_t{chunk.first_query} * 8;
    collect.indices = indices.address();
    collect.distance_keys = distances.address();
    collect.capacity = capacity();
  }
  collect.columns = chunk.columns;
  collect.keys_stride = chunk.keys_stride;
  collect.first_index = chunk.first_index;
  collect.rows = chunk.rows;
  collect.rows_stride = chunk.rows_stride;
  // Few queries share the workgroups that keep the device busy, each with
  // enough columns to be worth its start.
  constexpr std::uint32_t least_columns = 2048;
  const std::uint32_t share = divide_up(chunk.columns, divide_up(wanted_groups, chunk.queries));
  collect.segment_columns = divide_up(std::max(share, least_columns), 4u) * 4;
  collect.limit = limit;
  recording.record(passes::make_range_collect(collect, chunk.queries, chunk.content));
}

void RangeMatches::record_offsets(Recording& recording, std::uint32_t first_query, std::uint32_t count) const {
  passes::RangeOffsetsParameters pass{};
  pass.counters = counters.address() + std::uint64_t{first_query} * 4;
  pass.offsets = offsets.address() + std::uint64_t{first_query} * 8;
  pass.queries = count;
  pass.continues = first_query != 0;
  recording.record(passes::make_range_offsets(pass));
}

void RangeMatches::record_sort(Recording& recording) const {
  const std::uint64_t slots = capacity();
  // No query has more matches than this.
  const std::uint64_t most = std::min(rows, slots);
  const auto for_queries = [&](const auto& record_block) {
    recording.barrier();
    for (std::uint32_t first = 0; first < queries; first += most_block_queries) {
      const std::uint32_t count = std::min(most_block_queries, queries - first);
      const auto groups = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
          divide_up<std::uint64_t>(most, passes::range_run), 1, divide_up(wanted_groups, count)));
      record_block(offsets.address() + std::uint64_t{first} * 8, groups, count);
    }
  };
  const auto step = [&](std::uint32_t merged_log2, std::uint32_t distance_log2) {
    for_queries([&](std::uint64_t block_offsets, std::uint32_t groups, std::uint32_t count) {
      passes::RangeSortParameters sort{};
      sort.offsets = block_offsets;
      sort.indices = indices.address();
      sort.distance_keys = distances.address();
      sort.capacity = slots;
      sort.merged_log2 = merged_log2;
      sort.distance_log2 = distance_log2;
      recording.record(passes::make_range_sort(sort, groups, count));
    });
  };
  step(0, 0);
  for (std::uint32_t merged = passes::range_run_log2 + 1; std::uint64_t{1} << (merged - 1) < most; ++merged)
    for (std::uint32_t distance = merged; distance-- > passes::range_run_log2 - 1;) step(merged, distance);

  for_queries([&](std::uint64_t block_offsets, std::uint32_t groups, std::uint32_t count) {
    passes::RangeDecodeParameters decode{};
    decode.offsets = block_offsets;
    decode.distances = distances.address();
    decode.capacity = slots;
    decode.largest_first = largest_first;
    decode.finish = finish;
    recording.record(passes::make_range_decode(decode, groups, count));
  });
}

}  // namespace proxel::search
