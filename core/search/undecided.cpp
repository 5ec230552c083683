#include "search/undecided.hpp"

#include <algorithm>

#include "passes/decoded_distance.hpp"
#include "proxel/passes/merge_undecided.h"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/scan_undecided.h"
#include "search/check.hpp"
#include "search/decode.hpp"

namespace proxel::search {
namespace {

// Undecided queries that one rescue serves at most.
constexpr std::uint64_t most_rescue_lists = 4096;

}  // namespace

RescueSize rescue_size(const Device& device, const SearchDescription& description) {
  const std::uint32_t multiprocessors = std::max(device.capabilities().multiprocessors, 16u);
  RescueSize size;
  size.lists = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      description.scratch_limit / 8 / (description.k * key_bytes), 1,
      std::min<std::uint64_t>(most_rescue_lists, std::max<std::uint64_t>(description.queries, 4 * multiprocessors))));
  size.workgroups = std::min(size.lists, 8 * multiprocessors);
  return size;
}

void record_undecided(Recording& recording, const SearchDescription& description, const RowsSegment& segment,
                      const UndecidedQueries& undecided) {
  passes::ScanUndecidedParameters scan{};
  scan.rows = segment.rows;
  scan.queries = undecided.queries;
  scan.undecided = undecided.numbers;
  scan.few = undecided.few;
  scan.most_few = undecided.most_few;
  scan.found = undecided.lists;
  scan.dimensions = description.dimensions;
  scan.query_stride = description.dimensions;
  scan.first_index = static_cast<std::uint32_t>(segment.first_index);
  scan.filter_bits = undecided.filter;
  scan.filter_stride = undecided.filter_stride;
  scan.lists = undecided.list_count;
  // A workgroup takes whole steps of rows.
  scan.most_groups = std::clamp<std::uint32_t>(segment.rows.count / (passes::scan_tiles_per_step * passes::tile_rows),
                                               1, undecided.list_count);

  passes::MergeUndecidedParameters merge{};
  merge.undecided = scan.undecided;
  merge.few = scan.few;
  merge.most_few = scan.most_few;
  merge.found = scan.found;
  merge.indices = undecided.indices;
  merge.distances = undecided.distances;
  merge.result_stride = static_cast<std::uint32_t>(description.k);
  merge.lists = scan.lists;
  merge.most_groups = scan.most_groups;
  merge.largest_first = largest_first(accumulated(description.metric));
  merge.finish = finish_of(description);

  const auto k = static_cast<std::uint32_t>(description.k);
  const std::uint32_t round = undecided.round == 0 ? k : undecided.round;
  for (std::uint32_t first = 0; first < undecided.count; first += undecided.list_count)
    for (std::uint32_t rank = 0; rank < k; rank += round) {
      if (first != 0 || rank != 0) recording.barrier();
      scan.first_undecided = merge.first_undecided = first;
      scan.k = merge.k = std::min(round, k - rank);
      merge.first_rank = rank;
      scan.after = rank == 0 ? 0 : undecided.after;
      merge.after = rank + round < k ? undecided.after : 0;
      recording.record(passes::make_scan_undecided(scan, description.metric, undecided.workgroups));
      recording.barrier();
      recording.record(passes::make_merge_undecided(merge, undecided.count));
    }
}

}  // namespace proxel::search
