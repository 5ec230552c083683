#include "proxel/range.hpp"

#include <algorithm>

#include "passes/decoded_distance.hpp"
#include "proxel/passes/pair_distance.h"
#include "proxel/passes/tile_distance.h"
#include "search/bindings.hpp"
#include "search/occupancy.hpp"
#include "search/range_matches.hpp"
#include "search/range_plan.hpp"
#include "search/rehearsal.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

RangePlan RangePlan::make(Device& device, const RangeDescription& description, std::span<const RowsSegment> segments) {
  check(description);
  check_segments(description.rows, description.dimensions, segments);
  const Capabilities& capabilities = device.capabilities();

  const auto made = std::make_shared<Implementation>();
  Implementation& plan = *made;
  plan.device_ = PlannedFor(device);
  plan.description_ = description;
  plan.segments_.assign(segments.begin(), segments.end());
  plan.limit_ = limit_key(description.metric, description.radius);
  // The processor's kernel takes as few queries as there are.
  plan.one_by_one_ = description.queries < few_queries && !is_cpu(device);
  plan.wanted_groups_ = wanted_groups(capabilities);
  plan.tile_width_ = description.queries > 64 && capabilities.max_workgroup_size >= 256 ? 16 : 8;

  std::uint64_t largest_segment = 0;
  for (const RowsSegment& segment : segments)
    largest_segment = std::max<std::uint64_t>(largest_segment, segment.rows.count);
  plan.distances_offset_ = align_scratch(RangeMatches::scratch_bytes(description.queries));
  const std::uint64_t limit = description.scratch_limit;
  const std::uint64_t room = limit - std::min(plan.distances_offset_, limit / 2);
  const std::uint64_t tile_bytes = std::uint64_t{tile_rows} * 4;
  plan.block_queries_ = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(room / tile_bytes, 1, std::min(description.queries, most_block_queries)));
  const std::uint64_t segment_tiles = divide_up<std::uint64_t>(largest_segment, tile_rows);
  plan.chunk_rows_ = std::clamp<std::uint64_t>(room / tile_bytes / plan.block_queries_, 1,
                                               std::min<std::uint64_t>(segment_tiles, most_chunk_tiles)) *
                     tile_rows;
  plan.scratch_bytes_ = plan.distances_offset_ + align_scratch(plan.chunk_rows_ * 4 * plan.block_queries_);

  // Rehearsed with the caller's layout, whose strides choose the kernels.
  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(device, [&](Recording& rehearsal) {
    plan.record(rehearsal, segments, rehearsal_buffers(nowhere), SearchPart::whole);
  });
  RangePlan result;
  result.implementation_ = Planned<Implementation>(made);
  return result;
}

std::uint64_t RangePlan::scratch_bytes() const { return implementation_->scratch_bytes_; }

void RangePlan::record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers,
                       SearchPart part) const {
  implementation_->record(recording, segments, buffers, part);
}

struct RangePlan::Implementation::Collection {
  bool writes = false;               // or counts
  bool distances_are_there = false;  // the scratch memory holds all of them
};

struct RangePlan::Implementation::Matches : RangeMatches {};

RangePlan::Implementation::Matches RangePlan::Implementation::matches(const SearchBuffers& buffers) const {
  Matches matches;
  matches.queries = description_.queries;
  matches.rows = description_.rows;
  matches.limit = limit_;
  matches.largest_first = largest_first(accumulated(description_.metric));
  matches.finish = description_.ordered ? passes::finish_none : passes::finish_of(description_.metric);
  if (description_.filter != FilterKind::none) {
    matches.filter_bits = buffers.filter.address();
    matches.filter_stride = filter_stride(description_);
  }
  matches.wanted_groups = wanted_groups_;
  matches.counters = buffers.scratch;
  matches.offsets = buffers.offsets;
  matches.indices = buffers.indices;
  matches.distances = buffers.distances;
  return matches;
}

void RangePlan::Implementation::record(Recording& recording, std::span<const RowsSegment> segments,
                                       const SearchBuffers& buffers, SearchPart part) const {
  Bindings bindings(recording, device_.device());
  check(bindings, requirements_of(description_, scratch_bytes_), buffers, part);
  bindings.reads(segments, segments_, description_.dimensions);
  if (part != SearchPart::fill) {
    recording.push_label("range count");
    record_collection(recording, segments, buffers, {});
    recording.barrier();
    matches(buffers).record_offsets(recording, 0, description_.queries);
    recording.pop_label();
  }
  if (part == SearchPart::count) return;
  if (part == SearchPart::whole) recording.barrier();
  const bool one_chunk = part == SearchPart::whole && segments.size() == 1 &&
                         segments.front().rows.count <= chunk_rows_ && description_.queries <= block_queries_;
  recording.push_label("range fill");
  record_collection(recording, segments, buffers, {.writes = true, .distances_are_there = one_chunk});
  matches(buffers).record_sort(recording);
  recording.pop_label();
}

void RangePlan::Implementation::record_collection(Recording& recording, std::span<const RowsSegment> segments,
                                                  const SearchBuffers& buffers, const Collection& collection) const {
  const Matches matches = this->matches(buffers);
  RangeChunk chunk;
  chunk.keys = buffers.scratch.address() + distances_offset_;
  chunk.keys_stride = static_cast<std::uint32_t>(chunk_rows_);
  matches.record_reset(recording);
  bool first_chunk = true;
  for (std::uint32_t first = 0; first < description_.queries; first += block_queries_) {
    chunk.first_query = first;
    chunk.queries = std::min(block_queries_, description_.queries - first);
    for (const RowsSegment& segment : segments) {
      for (std::uint64_t row = 0; row < segment.rows.count; row += chunk_rows_) {
        chunk.first_index = static_cast<std::uint32_t>(segment.first_index + row);
        chunk.columns = static_cast<std::uint32_t>(std::min<std::uint64_t>(chunk_rows_, segment.rows.count - row));
        // The chunk before still reads the distances.
        if (!first_chunk) recording.barrier();
        first_chunk = false;
        if (!collection.distances_are_there)
          record_distances(recording, segment, row, chunk.columns,
                           buffers.queries.address() + std::uint64_t{first} * description_.dimensions * 4,
                           chunk.queries, chunk.keys);
        recording.barrier();
        if (collection.writes)
          matches.record_write(recording, chunk);
        else
          matches.record_count(recording, chunk);
      }
    }
  }
}

void RangePlan::Implementation::record_distances(Recording& recording, const RowsSegment& segment,
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

}  // namespace proxel
