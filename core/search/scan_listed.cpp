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

// Memory of a query, bytes.
struct QueryBytes {
  std::uint64_t after = 0, values = 0, rows = 0, counts = 0, keys = 0, results = 0;
  std::uint64_t all() const { return after + values + rows + counts + keys + results; }
};

}  // namespace

SelectionPlan ScanPlan::Implementation::plan_selection(Device& device, const Listed& listed,
                                                       std::uint64_t queries) const {
  SelectionDescription selection;
  selection.rows = queries;
  selection.columns = description_.rows;
  selection.row_stride = listed.stride;
  selection.k = listed.found;
  selection.largest_first = largest_first(accumulated(description_.metric));
  selection.has_payload = listed.numbered;
  selection.scratch_limit = std::max<std::uint64_t>(description_.scratch_limit / 4, std::uint64_t{1} << 20);
  return SelectionPlan::supports(device, selection) ? SelectionPlan::make(device, selection) : SelectionPlan();
}

bool ScanPlan::Implementation::plan_listed(Device& device) {
  const std::uint64_t rounds = divide_up<std::uint64_t>(selectable_, round_);
  if (description_.counted) return false;
  // What is selected is in the order of columns where distances tie.
  if (!std::ranges::is_sorted(segments_, {}, &RowsSegment::first_index)) return false;

  Listed listed;
  listed.numbered = numbers_rows(description_, segments_.size());
  listed.stride = divide_up<std::uint64_t>(description_.rows, 4) * 4;
  if (listed.stride > UINT32_MAX) return false;
  listed.found = std::min(description_.k, description_.rows);
  listed.workgroup = many_workgroup(device.capabilities());
  for (const RowsSegment& segment : segments_) listed.parts += parts_of(segment.rows.count);
  std::uint64_t chunk = std::min(divide_up<std::uint64_t>(description_.rows, tile_rows), most_chunk_tiles) * tile_rows;
  if (listed.numbered) chunk = std::min(chunk, numbered_chunk_rows);

  QueryBytes bytes;
  if (description_.continued) bytes.after = key_bytes;
  bytes.values = listed.stride * 4;
  if (listed.numbered) {
    bytes.rows = bytes.values;
    bytes.counts = listed.parts * sizeof(std::uint32_t);
    bytes.keys = chunk * 4;
  }
  if (listed.padded(description_.k)) bytes.results = listed.found * key_bytes;
  std::uint32_t block = listed_queries(description_, bytes.all(), tile_width_ == 16 ? wide_tile : narrow_tile);
  if (!lists_distances(description_, rounds, block, listed.numbered, device.capabilities().runs_on_host)) return false;

  // A selection may need more than the share of memory that is meant for it.
  std::uint64_t scratch = 0;
  for (;; block = divide_up(block, 2u)) {
    listed.select = plan_selection(device, listed, block);
    const std::uint64_t left = description_.queries % block;
    listed.select_last = left == 0 ? SelectionPlan() : plan_selection(device, listed, left);
    if (listed.select.empty() || (left != 0 && listed.select_last.empty())) return false;
    listed.selection_bytes =
        std::max(listed.select.scratch_bytes(), left == 0 ? 0 : listed.select_last.scratch_bytes());
    listed.values_offset = align_scratch(block * bytes.after);
    listed.rows_offset = listed.values_offset + align_scratch(block * bytes.values);
    listed.counts_offset = listed.rows_offset + align_scratch(block * bytes.rows);
    listed.keys_offset = listed.counts_offset + align_scratch(block * bytes.counts);
    listed.results_offset = listed.keys_offset + align_scratch(block * bytes.keys);
    listed.selection_offset = listed.results_offset + align_scratch(block * bytes.results);
    scratch = listed.selection_offset + align_scratch(listed.selection_bytes);
    if (scratch <= description_.scratch_limit) break;
    if (block == 1) return false;
  }

  shape_ = Shape::listed;
  if (block <= narrow_tile) tile_width_ = 8;
  block_queries_ = block;
  chunk_rows_ = chunk;
  after_offset_ = 0;
  distance_keys_offset_ = listed.keys_offset;
  scratch_bytes_ = scratch;
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
  const std::uint64_t bytes = round.queries * listed.stride * 4, result_bytes = round.queries * listed.found * 4;
  const bool padded = listed.padded(description_.k);
  SelectionBuffers selection;
  selection.values = buffers.scratch.part(listed.values_offset, bytes);
  if (listed.numbered) selection.payload = buffers.scratch.part(listed.rows_offset, bytes);
  selection.scratch = buffers.scratch.part(listed.selection_offset, listed.selection_bytes);
  if (padded) {
    selection.indices = buffers.scratch.part(listed.results_offset, result_bytes);
    selection.selected = buffers.scratch.part(listed.results_offset + result_bytes, result_bytes);
  } else {
    selection.indices = buffers.indices.part(first_slot * 4, result_bytes);
    selection.selected = buffers.distances.part(first_slot * 4, result_bytes);
  }
  (round.queries == block_queries_ ? listed.select : listed.select_last).record(recording, selection);
  recording.barrier();

  passes::ExtractNearestParameters extract{};
  extract.nearest_keys = selection.selected.address();
  extract.nearest_indices = selection.indices.address();
  extract.distances = round.distances;
  extract.indices = round.indices;
  extract.query_count = round.queries;
  extract.k = static_cast<std::uint32_t>(description_.k);
  extract.found = extract.query_pitch = static_cast<std::uint32_t>(listed.found);
  extract.rank_pitch = 1;
  extract.largest_first = largest_first(accumulated(description_.metric));
  extract.finish = finish_of(description_);
  extract.values = 1;
  recording.record(passes::make_extract_nearest(extract));
}

}  // namespace proxel
