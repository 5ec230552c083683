#include <algorithm>

#include "proxel/passes/merge_lists.h"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/select_rows.h"
#include "proxel/passes/tile_distance.h"
#include "proxel/passes/tile_nearest.h"
#include "search/after.hpp"
#include "search/bindings.hpp"
#include "search/decode.hpp"
#include "search/scan_plan.hpp"
#include "search/scan_round.hpp"

namespace proxel {

using namespace search;

void ScanPlan::Implementation::record(Recording& recording, std::span<const RowsSegment> segments,
                                      const SearchBuffers& buffers) const {
  Bindings bindings(recording, device_.device());
  check(bindings, requirements_of(description_, scratch_bytes_), buffers);
  bindings.reads(segments, segments_, description_.dimensions);
  write(recording, segments, buffers);
}

void ScanPlan::Implementation::write(Recording& recording, std::span<const RowsSegment> segments,
                                     const SearchBuffers& buffers) const {
  const std::uint64_t scratch = buffers.scratch.address();
  const std::uint64_t k = description_.k;
  recording.push_label("scan");
  for (std::uint32_t first = 0; first < description_.queries; first += block_queries_) {
    Round round;
    round.queries = std::min(block_queries_, description_.queries - first);
    round.keys_stride = static_cast<std::uint32_t>(k);
    round.query_address = buffers.queries.address() + std::uint64_t{first} * description_.dimensions * 4;
    round.lists = scratch + lists_offset_;
    round.partial = scratch + partial_offset_;
    round.distance_keys = scratch + distance_keys_offset_;
    round.indices = buffers.indices.address() + first * k * 4;
    round.distances = buffers.distances.address() + first * k * 4;
    if (description_.counted) round.counted = buffers.count.address();
    if (description_.filter != FilterKind::none) {
      round.filter_stride = filter_stride(description_);
      round.filter = buffers.filter.address() + std::uint64_t{first} * round.filter_stride * 4;
    }

    // The scratch memory may still be in use by the block before.
    if (first != 0) recording.barrier();
    if (description_.continued) {
      round.after = scratch + after_offset_;
      round.after_stride = 1;
      record_after(recording, answered_metric(description_), buffers.after, first, round.queries, round.after,
                   round.query_address, description_.dimensions, segments);
      recording.barrier();
    }
    if (listed_) {
      record_listed(recording, segments, round, buffers, first * k);
      continue;
    }
    if (selectable_ < k) {
      recording.fill(buffers.scratch.part(0, round.queries * k * key_bytes), 0xFF);
      recording.barrier();
    }
    for (std::uint64_t rank = 0; rank < selectable_; rank += round_) {
      if (rank != 0) {
        recording.barrier();
        round.after = scratch + (rank - 1) * key_bytes;
        round.after_stride = round.keys_stride;
      }
      round.ranks = static_cast<std::uint32_t>(std::min<std::uint64_t>(round_, selectable_ - rank));
      round.merged = scratch + rank * key_bytes;
      switch (shape_) {
        case Shape::few:
          record_few(recording, segments, round);
          break;
        case Shape::nearest:
          record_nearest(recording, segments, round);
          break;
        case Shape::many:
          record_many(recording, segments, round);
          break;
        case Shape::listed:
          break;  // has no rounds
      }
    }
    if (tickets_) continue;
    recording.barrier();
    record_decode(recording, answered_metric(description_), scratch, buffers, first * k, round.queries * k);
  }
  recording.pop_label();
}

namespace {

// Merges per-query lists, [queries x list_count x ranks], to where `merged` says.
void record_merge(Recording& recording, std::uint64_t lists, std::uint32_t list_count, std::uint32_t ranks,
                  std::uint64_t merged, std::uint64_t merged_stride, std::uint32_t queries) {
  passes::MergeListsParameters merge{};
  merge.lists = lists;
  merge.merged = merged;
  merge.list_count = list_count;
  merge.k = ranks;
  merge.merged_stride = static_cast<std::uint32_t>(merged_stride);
  recording.record(passes::make_merge_lists(merge, queries));
}

// Runs `search_segment`, which leaves group_count lists per query, for every
// segment, and merges all to round.merged.
template <typename Round, typename SearchSegment>
void record_segments(Recording& recording, std::span<const RowsSegment> segments, const Round& round,
                     std::uint32_t group_count, const SearchSegment& search_segment) {
  const auto segment_count = static_cast<std::uint32_t>(segments.size());
  for (std::uint32_t s = 0; s < segment_count; ++s) {
    if (s != 0) recording.barrier();
    search_segment(segments[s]);
    recording.barrier();
    const bool only = segment_count == 1;
    record_merge(recording, round.lists, group_count, round.ranks,
                 only ? round.merged : round.partial + s * round.ranks * key_bytes,
                 only ? round.keys_stride : std::uint64_t{segment_count} * round.ranks, round.queries);
  }
  if (segment_count > 1) {
    recording.barrier();
    record_merge(recording, round.partial, segment_count, round.ranks, round.merged, round.keys_stride, round.queries);
  }
}

}  // namespace

void ScanPlan::Implementation::record_few(Recording& recording, std::span<const RowsSegment> segments,
                                          const Round& round) const {
  const auto record_scan = [&](const RowsSegment& segment) {
    passes::ScanSelectParameters scan{};
    scan.rows = segment.rows;
    scan.queries = round.query_address;
    scan.after = round.after;
    scan.lists = round.lists;
    scan.dimensions = description_.dimensions;
    scan.groups = groups_;
    scan.k = round.ranks;
    scan.after_stride = round.after_stride;
    scan.filter_bits = round.filter;
    scan.filter_stride = round.filter_stride;
    scan.query_stride = description_.dimensions;
    scan.first_index = static_cast<std::uint32_t>(segment.first_index);
    scan.counted = round.counted;
    if (tickets_) {
      scan.tickets = tickets_->address();
      scan.indices = round.indices;
      scan.distances = round.distances;
      scan.finish = finish_of(description_);
    }
    recording.record(passes::make_scan_select(scan, description_.metric, round.queries, scan_workgroup_));
  };
  if (tickets_)
    record_scan(segments.front());
  else
    record_segments(recording, segments, round, groups_, record_scan);
}

void ScanPlan::Implementation::record_nearest(Recording& recording, std::span<const RowsSegment> segments,
                                              const Round& round) const {
  record_segments(recording, segments, round, groups_, [&](const RowsSegment& segment) {
    passes::TileNearestParameters nearest{};
    nearest.rows = segment.rows;
    nearest.queries = round.query_address;
    nearest.lists = round.lists;
    nearest.dimensions = description_.dimensions;
    nearest.query_count = round.queries;
    nearest.groups = groups_;
    nearest.query_stride = description_.dimensions;
    nearest.filter_bits = round.filter;
    nearest.filter_stride = round.filter_stride;
    nearest.first_index = static_cast<std::uint32_t>(segment.first_index);
    recording.record(passes::make_tile_nearest(nearest, description_.metric, tile_width_));
  });
}

std::uint32_t ScanPlan::Implementation::record_distances(Recording& recording, const RowsSegment& segment,
                                                         const Round& round, std::uint64_t first_row,
                                                         std::uint64_t keys, std::uint32_t keys_stride) const {
  passes::TileDistanceParameters distance{};
  distance.rows = segment.rows;
  distance.queries = round.query_address;
  distance.keys = keys;
  distance.dimensions = description_.dimensions;
  distance.query_count = round.queries;
  distance.first_row = static_cast<std::uint32_t>(first_row);
  distance.row_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(chunk_rows_, segment.rows.count - first_row));
  distance.keys_stride = keys_stride;
  distance.query_stride = description_.dimensions;
  recording.record(passes::make_tile_distance(distance, description_.metric, tile_width_));
  return distance.row_count;
}

void ScanPlan::Implementation::record_many(Recording& recording, std::span<const RowsSegment> segments,
                                           const Round& round) const {
  bool first_chunk = true;
  for (const RowsSegment& segment : segments) {
    for (std::uint64_t row = 0; row < segment.rows.count; row += chunk_rows_) {
      const auto keys_stride = static_cast<std::uint32_t>(chunk_rows_);
      // The selection of the chunk before still reads the distance keys.
      if (!first_chunk) recording.barrier();
      const std::uint32_t columns = record_distances(recording, segment, round, row, round.distance_keys, keys_stride);
      recording.barrier();

      passes::SelectRowsParameters select{};
      select.keys = round.distance_keys;
      select.lists = has_only_list() ? round.merged : round.lists;
      select.after = round.after;
      select.columns = columns;
      select.keys_stride = keys_stride;
      select.first_index = static_cast<std::uint32_t>(segment.first_index + row);
      select.segments = groups_;
      select.segment_columns = divide_up(divide_up(columns, groups_), 4u) * 4;
      select.k = round.ranks;
      select.after_stride = round.after_stride;
      select.filter_bits = round.filter;
      select.filter_stride = round.filter_stride;
      select.first_chunk = first_chunk;
      recording.record(passes::make_select_rows(select, round.queries));
      first_chunk = false;
    }
  }
  if (has_only_list()) return;
  recording.barrier();
  record_merge(recording, round.lists, groups_, round.ranks, round.merged, round.keys_stride, round.queries);
}

}  // namespace proxel
