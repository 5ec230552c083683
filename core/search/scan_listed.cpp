// Scans for more neighbours than a workgroup selects at a time: all distances of some queries are kept, and a selection of any length
// puts the nearest in order. Rounds of short lists would compute every distance in each.

#include <algorithm>

#include "proxel/passes/extract_nearest.h"
#include "proxel/passes/list_distances.h"
#include "search/bindings.hpp"
#include "search/decode.hpp"
#include "search/list_length.hpp"
#include "search/occupancy.hpp"
#include "search/scan_plan.hpp"
#include "search/scan_round.hpp"
#include "search/scan_shape.hpp"
#include "search/screened_plan.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

namespace {

// Where rows are numbered distances are listed a second time, by so many rows at once.
constexpr std::uint64_t numbered_chunk_rows = 1024 * tile_rows;
constexpr std::uint32_t part_rows = 64 * tile_rows;

// Parts of a segment, whose chunks each begin one.
std::uint64_t parts_of(std::uint64_t rows) { return divide_up<std::uint64_t>(rows, part_rows); }

SelectionDescription selection_of(const SearchDescription& description, std::uint64_t queries, std::uint64_t stride,
                                  bool numbered) {
  SelectionDescription selection;
  selection.rows = queries;
  selection.columns = description.rows;
  selection.row_stride = stride;
  selection.k = description.k;
  selection.largest_first = largest_first(accumulated(description.metric));
  selection.has_payload = numbered;
  selection.scratch_limit = std::max<std::uint64_t>(description.scratch_limit / 4, std::uint64_t{1} << 20);
  return selection;
}

}  // namespace

bool ScanPlan::Implementation::plan_listed(Device& device) {
  const std::uint64_t rounds = divide_up<std::uint64_t>(selectable_, round_);
  if (description_.counted) return false;
  // What is selected is in the order of columns where distances tie.
  if (!std::ranges::is_sorted(segments_, {}, &RowsSegment::first_index)) return false;

  Listed listed;
  listed.numbered = numbers_rows(description_, segments_.size());
  listed.stride = divide_up<std::uint64_t>(description_.rows, 4) * 4;
  chunk_rows_ = std::min(divide_up<std::uint64_t>(description_.rows, tile_rows), most_chunk_tiles) * tile_rows;
  if (listed.numbered) chunk_rows_ = std::min(chunk_rows_, numbered_chunk_rows);
  const std::uint64_t value_bytes = listed.stride * 4, keys_bytes = listed.numbered ? chunk_rows_ * 4 : 0;
  for (const RowsSegment& segment : segments_) listed.parts += parts_of(segment.rows.count);
  const std::uint64_t counts_bytes = listed.numbered ? listed.parts * sizeof(std::uint32_t) : 0;
  const std::uint64_t query_bytes =
      key_bytes + value_bytes + (listed.numbered ? value_bytes : 0) + counts_bytes + keys_bytes;
  const std::uint32_t block = listed_queries(description_, query_bytes, tile_width_ == 16 ? wide_tile : narrow_tile);
  if (!lists_distances(description_, rounds, block, listed.numbered, device.capabilities().runs_on_host)) return false;

  const SelectionDescription selection = selection_of(description_, block, listed.stride, listed.numbered);
  if (!SelectionPlan::supports(device, selection)) return false;
  listed.select = SelectionPlan::make(device, selection);
  listed.selection_bytes = listed.select.scratch_bytes();
  if (const std::uint64_t left = description_.queries % block; left != 0) {
    listed.select_last = SelectionPlan::make(device, selection_of(description_, left, listed.stride, listed.numbered));
    listed.selection_bytes = std::max(listed.selection_bytes, listed.select_last.scratch_bytes());
  }
  listed.workgroup = many_workgroup(device.capabilities());

  shape_ = Shape::listed;
  if (block <= narrow_tile) tile_width_ = 8;
  block_queries_ = block;
  after_offset_ = 0;
  listed.values_offset = align_scratch(description_.continued ? block * key_bytes : 0);
  listed.rows_offset = listed.values_offset + align_scratch(block * value_bytes);
  listed.counts_offset = listed.rows_offset + align_scratch(listed.numbered ? block * value_bytes : 0);
  distance_keys_offset_ = listed.counts_offset + align_scratch(block * counts_bytes);
  listed.selection_offset = distance_keys_offset_ + align_scratch(block * keys_bytes);
  scratch_bytes_ = listed.selection_offset + align_scratch(listed.selection_bytes);
  listed_ = std::move(listed);
  return true;
}

void ScanPlan::Implementation::record_values(Recording& recording, std::span<const RowsSegment> segments,
                                             const Round& round, const SearchBuffers& buffers) const {
  const Listed& listed = *listed_;
  const std::uint64_t scratch = buffers.scratch.address();
  passes::ListDistancesParameters list{};
  list.keys = listed.numbered ? round.distance_keys : scratch + listed.values_offset;
  list.values = scratch + listed.values_offset;
  list.keys_stride = static_cast<std::uint32_t>(listed.numbered ? chunk_rows_ : listed.stride);
  list.values_stride = static_cast<std::uint32_t>(listed.stride);
  list.largest_first = largest_first(accumulated(description_.metric));
  if (listed.numbered) {
    list.rows = scratch + listed.rows_offset;
    list.counts = scratch + listed.counts_offset;
    list.filter_bits = round.filter;
    list.filter_stride = round.filter_stride;
    list.after = round.after;
    list.after_stride = round.after_stride;
    list.part_columns = part_rows;
    list.counts_stride = static_cast<std::uint32_t>(listed.parts);
    // What nothing is listed in is behind every NaN that is, and is no row.
    recording.fill(buffers.scratch.part(listed.values_offset, listed.counts_offset - listed.values_offset), 0xFF);
    recording.barrier();
  }
  for (const RowsSegment& segment : segments)
    for (std::uint64_t row = 0; row < segment.rows.count; row += chunk_rows_) {
      const std::uint64_t keys = list.keys + (listed.numbered ? 0 : row * 4);
      list.columns = record_distances(recording, segment, round, row, keys, list.keys_stride);
      if (!listed.numbered) continue;
      recording.barrier();
      list.first_index = static_cast<std::uint32_t>(segment.first_index + row);
      record_numbered(recording, list, round.queries);
      list.first_part += static_cast<std::uint32_t>(parts_of(list.columns));
    }
  if (listed.numbered) return;
  recording.barrier();
  list.columns = static_cast<std::uint32_t>(description_.rows);
  recording.record(passes::make_list_distances(list, round.queries, listed.workgroup));
  recording.barrier();
}

void ScanPlan::Implementation::record_numbered(Recording& recording, const passes::ListDistancesParameters& list,
                                               std::uint32_t queries) const {
  passes::ListDistancesParameters count = list;
  count.values = count.rows = 0;
  recording.record(passes::make_list_distances(count, queries, listed_->workgroup));
  recording.barrier();
  recording.record(passes::make_list_distances(list, queries, listed_->workgroup));
  recording.barrier();
}

void ScanPlan::Implementation::record_listed(Recording& recording, std::span<const RowsSegment> segments,
                                             const Round& round, const SearchBuffers& buffers,
                                             std::uint64_t first_slot) const {
  const Listed& listed = *listed_;
  record_values(recording, segments, round, buffers);
  const std::uint64_t bytes = round.queries * listed.stride * 4, result_bytes = round.queries * description_.k * 4;
  SelectionBuffers selection;
  selection.values = buffers.scratch.part(listed.values_offset, bytes);
  if (listed.numbered) selection.payload = buffers.scratch.part(listed.rows_offset, bytes);
  selection.scratch = buffers.scratch.part(listed.selection_offset, listed.selection_bytes);
  selection.indices = buffers.indices.part(first_slot * 4, result_bytes);
  selection.selected = buffers.distances.part(first_slot * 4, result_bytes);
  (round.queries == block_queries_ ? listed.select : listed.select_last).record(recording, selection);
  recording.barrier();

  passes::ExtractNearestParameters extract{};
  extract.nearest_keys = extract.distances = round.distances;
  extract.nearest_indices = extract.indices = round.indices;
  extract.query_count = round.queries;
  extract.k = extract.found = extract.query_pitch = static_cast<std::uint32_t>(description_.k);
  extract.rank_pitch = 1;
  extract.largest_first = largest_first(accumulated(description_.metric));
  extract.finish = finish_of(description_);
  extract.values = 1;
  recording.record(passes::make_extract_nearest(extract));
}

}  // namespace proxel
