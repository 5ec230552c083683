#include <algorithm>

#include <fmt/format.h>

#include "proxel/passes/scan_select.h"
#include "proxel/passes/selection.hpp"
#include "search/check.hpp"
#include "search/list_length.hpp"
#include "search/occupancy.hpp"
#include "search/rehearsal.hpp"
#include "search/scan_plan.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

namespace {

bool few(const SearchDescription& description, const Capabilities& capabilities, std::size_t segments) {
  if (description.queries < few_queries || description.counted) return true;
  return !capabilities.runs_on_host && segments == 1 && description.queries <= largest_grid_extent &&
         description.queries <= description.scratch_limit / 32 / few_scan_neighbors / key_bytes &&
         reads_rows_anew(description);
}

// A processor's workgroup has at least so many rows for each key of its list, unless that leaves threads without work.
constexpr std::uint64_t rows_per_listed = 64;

// Tiles of 128 queries x 128 rows, where they are many enough for the whole device.
bool wide_tiles(const SearchDescription& description, const Capabilities& capabilities) {
  const std::uint64_t tiles =
      divide_up<std::uint64_t>(description.rows, tile_rows) * divide_up<std::uint64_t>(description.queries, tile_rows);
  return description.queries > 64 && capabilities.max_workgroup_size >= 256 &&
         tiles >= known_multiprocessors(capabilities);
}

}  // namespace

ScanPlan ScanPlan::make(Device& device, const SearchDescription& description, std::span<const RowsSegment> segments) {
  check(description);
  refuse_raw(description, "scan");
  search::check_segments(description.rows, description.dimensions, segments);

  const auto made = std::make_shared<Implementation>();
  Implementation& plan = *made;
  plan.device_ = PlannedFor(device);
  plan.description_ = description;
  plan.segments_.assign(segments.begin(), segments.end());
  // Short lists are padded by the selection itself.
  plan.selectable_ = description.counted
                         ? description.k
                         : std::min(description.k, std::max<std::uint64_t>(description.rows, longest_list));
  plan.round_ = keys_at_once(device, plan.selectable_);
  plan.tile_width_ = wide_tiles(description, device.capabilities()) ? 16 : 8;
  if (!plan.plan_listed(device)) plan.plan_lists(device);

  // Rehearsed with the caller's layout, whose strides choose the kernels.
  RehearsalBuffer nowhere(UINT64_MAX);
  const SearchBuffers buffers = rehearsal_buffers(nowhere);
  rehearse(device, [&](Recording& rehearsal) { plan.write(rehearsal, segments, buffers); });
  ScanPlan result;
  result.implementation_ = Planned<Implementation>(made);
  return result;
}

void ScanPlan::Implementation::plan_lists(Device& device) {
  const Capabilities& capabilities = device.capabilities();
  const std::uint64_t limit = description_.scratch_limit;
  // All queries that may be counted have lists at once.
  if (description_.counted)
    round_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        round_, std::max<std::uint64_t>(longest_list, limit / 2 / key_bytes / description_.queries)));

  // For one neighbour, more invocations with fewer rows each hide memory better
  // where the kernel has such a variant; a processor gains nothing from it, and
  // longer lists lose more than they gain.
  passes::ScanSelectParameters wide{};
  wide.k = 1;
  wide.groups = 1;
  if (round_ == 1 && !capabilities.runs_on_host &&
      device.supports(passes::make_scan_select(wide, description_.metric, 1, 256)))
    scan_workgroup_ = 256;

  const std::uint64_t per_query_keys = description_.k * key_bytes;
  const std::uint64_t list_bytes = round_ * key_bytes;
  const auto segment_count = static_cast<std::uint32_t>(segments_.size());
  const std::uint64_t partial_bytes = segment_count > 1 ? segment_count * list_bytes : 0;
  const std::uint32_t tile = 8 * tile_width_;
  const std::uint32_t wanted = wanted_groups(capabilities);
  std::uint64_t largest_segment = 0;
  for (const RowsSegment& segment : segments_)
    largest_segment = std::max<std::uint64_t>(largest_segment, segment.rows.count);

  const auto fitting_queries = [&](std::uint64_t bytes_per_query, std::uint64_t share) {
    const std::uint64_t fitting = share / std::max<std::uint64_t>(bytes_per_query, 1);
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(fitting, 1, std::min(description_.queries, most_block_queries)));
  };

  std::uint64_t distance_key_bytes = 0;
  if (few(description_, capabilities, segments_.size())) {
    shape_ = Implementation::Shape::few;
    std::uint64_t steps = divide_up<std::uint64_t>(largest_segment, tile_rows * passes::scan_tiles_per_step);
    // Many queries fill the device with fewer workgroups each.
    if (description_.queries >= few_queries)
      steps = std::min<std::uint64_t>(steps, divide_up(wanted, description_.queries));
    // A processor's list costs what its length does, however few rows it is chosen from.
    if (is_cpu(device))
      steps = std::min(
          steps, std::max<std::uint64_t>(capabilities.multiprocessors, largest_segment / (rows_per_listed * round_)));
    block_queries_ = description_.queries;
    const std::uint64_t fitting_groups = limit / 2 / (list_bytes * block_queries_);
    groups_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(std::min<std::uint64_t>(wanted, steps), 1,
                                                                   std::max<std::uint64_t>(fitting_groups, 1)));
  } else if (selectable_ == 1 && !description_.continued) {
    shape_ = Implementation::Shape::nearest;
    const std::uint64_t row_tiles = divide_up<std::uint64_t>(largest_segment, tile);
    const std::uint32_t query_tiles = divide_up(std::min(description_.queries, most_block_queries), tile);
    // About two workgroups of 16 x 16 threads fit a multiprocessor at once; a
    // few times that evens out the end.
    const std::uint64_t per_query_tile = divide_up(wanted, query_tiles);
    groups_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(per_query_tile, 1, row_tiles));
    block_queries_ = fitting_queries(groups_ * key_bytes + partial_bytes + per_query_keys, limit);
  } else {
    shape_ = Implementation::Shape::many;
    block_queries_ = fitting_queries(per_query_keys + partial_bytes + list_bytes, limit / 4);
    // Distance keys take half of the limit; a chunk holds whole tiles of rows, at
    // least one, and no more than the rows have or one grid direction counts.
    const std::uint64_t fitting_tiles = limit / 2 / 4 / block_queries_ / tile_rows;
    const std::uint64_t segment_tiles = divide_up<std::uint64_t>(largest_segment, tile_rows);
    chunk_rows_ =
        std::clamp<std::uint64_t>(fitting_tiles, 1, std::min<std::uint64_t>(segment_tiles, most_chunk_tiles)) *
        tile_rows;
    while (block_queries_ > 1 && chunk_rows_ * 4 * block_queries_ > limit / 2)
      block_queries_ = std::max(block_queries_ / 2, 1u);
    const std::uint64_t columns_for_a_segment = 4 * std::max(round_, 256u);
    const std::uint64_t useful = divide_up(chunk_rows_, columns_for_a_segment);
    const std::uint64_t fitting_segments = limit / 4 / (list_bytes * block_queries_);
    groups_ = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(std::min<std::uint64_t>(divide_up(wanted, block_queries_), useful), 1,
                                  std::max<std::uint64_t>(fitting_segments, 1)));
    distance_key_bytes = chunk_rows_ * 4 * block_queries_;
  }

  const bool one_pass = shape_ == Implementation::Shape::few && segment_count == 1 && round_ == description_.k;
  if (description_.counted && (!one_pass || description_.queries > largest_grid_extent))
    throw Error(ErrorCode::unsupported, "counted",
                fmt::format("scans for queries that the device counts take one pass: up to {} queries, "
                            "k up to {} and rows in one segment",
                            largest_grid_extent, round_));

  after_offset_ = align_scratch(block_queries_ * per_query_keys);
  lists_offset_ = after_offset_ + align_scratch(description_.continued ? block_queries_ * key_bytes : 0);
  partial_offset_ = lists_offset_ + align_scratch(has_only_list() ? 0 : block_queries_ * list_bytes * groups_);
  distance_keys_offset_ = partial_offset_ + align_scratch(block_queries_ * partial_bytes);
  scratch_bytes_ = distance_keys_offset_ + align_scratch(distance_key_bytes);

  if (one_pass) {
    tickets_ = device.create_buffer(description_.queries * 4, MemoryKind::device);
    const auto commands = device.create_commands(Timing::none);
    commands->begin();
    commands->fill(*tickets_, 0);
    commands->end();
    device.submit(*commands);
    device.wait();
  }
}

std::uint64_t ScanPlan::scratch_bytes() const { return implementation_->scratch_bytes_; }

void ScanPlan::record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers) const {
  implementation_->record(recording, segments, buffers);
}

}  // namespace proxel
