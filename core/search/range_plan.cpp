#include "proxel/range.hpp"

#include <algorithm>
#include <cmath>

#include "passes/finish_bound.hpp"
#include "passes/order.hpp"
#include "proxel/passes.hpp"
#include "search/check.hpp"
#include "search/occupancy.hpp"
#include "search/rehearsal.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

namespace {

void check_description(const RangeDescription& description) {
  SearchDescription search;
  search.rows = description.rows;
  search.dimensions = description.dimensions;
  search.queries = description.queries;
  search.scratch_limit = description.scratch_limit;
  search::check(search);
  if (std::isnan(description.radius))
    throw Error(ErrorCode::invalid_argument, "radius", "NaN was given, a number is allowed");
}

// What is compared is what was accumulated: the limit is the last of it whose
// distance, as it is returned, is within the radius.
std::uint32_t limit_of(const RangeDescription& description) {
  return passes::distance_key(
      passes::last_seen_within(description.radius, passes::finish_of(description.metric)),
      largest_first(accumulated(description.metric)));
}

constexpr std::uint64_t counter_bytes = 4;

}  // namespace

RangePlan RangePlan::make(Device& device, const RangeDescription& description,
                          std::span<const RowsSegment> segments) {
  check_description(description);
  check_segments(description.rows, description.dimensions, segments);
  const Capabilities& capabilities = device.capabilities();

  RangePlan plan;
  plan.description_ = description;
  plan.limit_ = limit_of(description);
  // The processor's kernel takes as few queries as there are.
  plan.one_by_one_ =
      description.queries < few_queries && device.info().backend != BackendKind::cpu;
  plan.tile_width_ = description.queries > 64 && capabilities.max_workgroup_size >= 256 ? 16 : 8;
  plan.wanted_groups_ = wanted_groups(capabilities);

  std::uint64_t largest_segment = 0;
  for (const RowsSegment& segment : segments)
    largest_segment = std::max<std::uint64_t>(largest_segment, segment.rows.count);
  plan.distances_offset_ = align_scratch(description.queries * counter_bytes);
  const std::uint64_t limit = description.scratch_limit;
  const std::uint64_t room = limit - std::min(plan.distances_offset_, limit / 2);
  const std::uint64_t tile_bytes = std::uint64_t{tile_rows} * 4;
  plan.block_queries_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      room / tile_bytes, 1, std::min(description.queries, most_block_queries)));
  const std::uint64_t segment_tiles = divide_up<std::uint64_t>(largest_segment, tile_rows);
  plan.chunk_rows_ =
      std::clamp<std::uint64_t>(room / tile_bytes / plan.block_queries_, 1,
                                std::min<std::uint64_t>(segment_tiles, most_chunk_tiles)) *
      tile_rows;
  plan.scratch_bytes_ = plan.distances_offset_ +
                        align_scratch(plan.chunk_rows_ * 4 * plan.block_queries_);

  // Rehearsed with the caller's layout, whose strides choose the kernels.
  RehearsalBuffer nowhere(UINT64_MAX);
  Rehearsal rehearsal(device);
  plan.record(rehearsal, segments, {nowhere, nowhere, nowhere, nowhere, nowhere, nowhere});
  return plan;
}

void RangePlan::check(const RangeBuffers& buffers, bool fill) const {
  const std::uint64_t queries = description_.queries;
  require_buffer("queries buffer", buffers.queries, queries * description_.dimensions * 4, 16);
  require_buffer("scratch buffer", buffers.scratch, scratch_bytes_, 256);
  require_buffer("offsets buffer", buffers.offsets, (queries + 1) * 8, 8);
  check_filter(description_.filter, description_.rows, queries, buffers.filter);
  if (!fill) return;
  require_buffer("indices buffer", buffers.indices, 4, 4);
  require_buffer("distances buffer", buffers.distances, 4, 4);
}

struct RangePlan::Collection {
  bool writes = false;  // or counts
  std::uint64_t capacity = 0;
  bool distances_are_there = false;  // the scratch memory holds all of them
};

void RangePlan::record_count(Recording& recording, std::span<const RowsSegment> segments,
                             const RangeBuffers& buffers) const {
  check(buffers, false);
  recording.push_label("range count");
  record_collection(recording, segments, buffers, {});
  recording.barrier();
  passes::RangeOffsetsParameters offsets{};
  offsets.counters = buffers.scratch.address();
  offsets.offsets = buffers.offsets.address();
  offsets.queries = description_.queries;
  recording.record(passes::make_range_offsets(offsets));
  recording.pop_label();
}

namespace {

std::uint64_t capacity_of(const RangeBuffers& buffers) {
  return std::min(buffers.indices.bytes, buffers.distances.bytes) / 4;
}

}  // namespace

void RangePlan::record_fill(Recording& recording, std::span<const RowsSegment> segments,
                            const RangeBuffers& buffers) const {
  check(buffers, true);
  const std::uint64_t capacity = capacity_of(buffers);
  recording.push_label("range fill");
  record_collection(recording, segments, buffers, {true, capacity});
  record_sort(recording, buffers, capacity);
  recording.pop_label();
}

void RangePlan::record(Recording& recording, std::span<const RowsSegment> segments,
                       const RangeBuffers& buffers) const {
  check(buffers, true);
  record_count(recording, segments, buffers);
  recording.barrier();
  const bool one_chunk = segments.size() == 1 && segments.front().rows.count <= chunk_rows_ &&
                         description_.queries <= block_queries_;
  const std::uint64_t capacity = capacity_of(buffers);
  recording.push_label("range fill");
  record_collection(recording, segments, buffers, {true, capacity, one_chunk});
  record_sort(recording, buffers, capacity);
  recording.pop_label();
}

void RangePlan::record_collection(Recording& recording, std::span<const RowsSegment> segments,
                                  const RangeBuffers& buffers,
                                  const Collection& collection) const {
  const std::uint64_t counters = buffers.scratch.address();
  const std::uint64_t keys = counters + distances_offset_;
  recording.fill(buffers.scratch.part(0, description_.queries * counter_bytes), 0);
  bool first_chunk = true;
  for (std::uint32_t first = 0; first < description_.queries; first += block_queries_) {
    const std::uint32_t queries = std::min(block_queries_, description_.queries - first);
    for (const RowsSegment& segment : segments) {
      for (std::uint64_t row = 0; row < segment.rows.count; row += chunk_rows_) {
        const auto columns =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(chunk_rows_, segment.rows.count - row));
        // The chunk before still reads the distances.
        if (!first_chunk) recording.barrier();
        first_chunk = false;
        if (!collection.distances_are_there)
          record_distances(
              recording, segment, row, columns,
              buffers.queries.address() + std::uint64_t{first} * description_.dimensions * 4,
              queries, keys);
        recording.barrier();

        passes::RangeCollectParameters collect{};
        collect.keys = keys;
        if (description_.filter != FilterKind::none) {
          collect.filter_stride = filter_stride(description_);
          collect.filter_bits =
              buffers.filter.address() + std::uint64_t{first} * collect.filter_stride * 4;
        }
        collect.counters = counters + first * counter_bytes;
        if (collection.writes) {
          collect.offsets = buffers.offsets.address() + std::uint64_t{first} * 8;
          collect.indices = buffers.indices.address();
          collect.distance_keys = buffers.distances.address();
          collect.capacity = collection.capacity;
        }
        collect.columns = columns;
        collect.keys_stride = static_cast<std::uint32_t>(chunk_rows_);
        collect.first_index = static_cast<std::uint32_t>(segment.first_index + row);
        // Few queries share the workgroups that keep the device busy, each with
        // enough columns to be worth its start.
        constexpr std::uint32_t least_columns = 2048;
        const std::uint32_t share = divide_up(columns, divide_up(wanted_groups_, queries));
        collect.segment_columns = divide_up(std::max(share, least_columns), 4u) * 4;
        collect.limit = limit_;
        recording.record(passes::make_range_collect(collect, queries));
      }
    }
  }
}

void RangePlan::record_distances(Recording& recording, const RowsSegment& segment,
                                 std::uint64_t first_row, std::uint32_t columns,
                                 std::uint64_t query_address, std::uint32_t queries,
                                 std::uint64_t keys) const {
  if (!one_by_one_) {
    passes::TileDistanceParameters distance{};
    distance.rows = segment.rows;
    distance.queries = query_address;
    distance.keys = keys;
    distance.dimensions = description_.dimensions;
    distance.query_count = queries;
    distance.first_row = static_cast<std::uint32_t>(first_row);
    distance.row_count = columns;
    distance.keys_stride = static_cast<std::uint32_t>(chunk_rows_);
    distance.query_stride = description_.dimensions;
    recording.record(passes::make_tile_distance(distance, description_.metric, tile_width_));
    return;
  }
  for (std::uint32_t query = 0; query < queries; ++query) {
    passes::PairDistanceParameters distance{};
    distance.rows = segment.rows;
    distance.queries = query_address + std::uint64_t{query} * description_.dimensions * 4;
    distance.keys = keys + query * chunk_rows_ * 4;
    distance.dimensions = description_.dimensions;
    distance.query_count = 1;
    distance.first_row = static_cast<std::uint32_t>(first_row);
    distance.row_count = columns;
    distance.row_pitch = 1;
    distance.query_stride = description_.dimensions;
    recording.record(passes::make_pair_distance(distance, description_.metric));
  }
}

void RangePlan::record_sort(Recording& recording, const RangeBuffers& buffers,
                            std::uint64_t capacity) const {
  // No query has more matches than this.
  const std::uint64_t most = std::min(description_.rows, capacity);
  const auto for_queries = [&](const auto& record_block) {
    recording.barrier();
    for (std::uint32_t first = 0; first < description_.queries; first += most_block_queries) {
      const std::uint32_t queries = std::min(most_block_queries, description_.queries - first);
      const auto groups = static_cast<std::uint32_t>(
          std::clamp<std::uint64_t>(divide_up<std::uint64_t>(most, passes::range_run), 1,
                                    divide_up(wanted_groups_, queries)));
      record_block(buffers.offsets.address() + std::uint64_t{first} * 8, groups, queries);
    }
  };
  const auto step = [&](std::uint32_t merged_log2, std::uint32_t distance_log2) {
    for_queries([&](std::uint64_t offsets, std::uint32_t groups, std::uint32_t queries) {
      passes::RangeSortParameters sort{};
      sort.offsets = offsets;
      sort.indices = buffers.indices.address();
      sort.distance_keys = buffers.distances.address();
      sort.capacity = capacity;
      sort.merged_log2 = merged_log2;
      sort.distance_log2 = distance_log2;
      recording.record(passes::make_range_sort(sort, groups, queries));
    });
  };
  step(0, 0);
  for (std::uint32_t merged = passes::range_run_log2 + 1;
       std::uint64_t{1} << (merged - 1) < most; ++merged)
    for (std::uint32_t distance = merged; distance-- > passes::range_run_log2 - 1;)
      step(merged, distance);

  for_queries([&](std::uint64_t offsets, std::uint32_t groups, std::uint32_t queries) {
    passes::RangeDecodeParameters decode{};
    decode.offsets = offsets;
    decode.distances = buffers.distances.address();
    decode.capacity = capacity;
    decode.largest_first = largest_first(accumulated(description_.metric));
    decode.finish = passes::finish_of(description_.metric);
    recording.record(passes::make_range_decode(decode, groups, queries));
  });
}

}  // namespace proxel
