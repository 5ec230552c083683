#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "proxel/passes/screen_refine.h"
#include "proxel/passes/screen_runs.h"
#include "proxel/passes/screen_survivors.h"
#include "proxel/passes/screen_threshold.h"
#include "search/check.hpp"
#include "search/code_errors.hpp"
#include "search/decode.hpp"
#include "search/list_length.hpp"
#include "search/screened_plan.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

namespace {

// Keys of a run in 16 KiB of shared memory, which every device has, beside what it keeps for itself; and of longer
// ones, which take fewer rounds of merging.
constexpr std::uint32_t short_run = 1024;
constexpr std::uint32_t long_run = 2048;
constexpr std::uint32_t long_run_bytes = 32 * 1024;
constexpr std::uint32_t largest_workgroup = 512;
// Canonical samples have a group for eight rows, and twice as many groups as neighbours are to be there.
constexpr std::uint64_t canonical_rows_per_neighbor = 16;
// What codes may leave of a query: so many rows for a neighbour, or one in so many of all rows where these are more, as far as a quarter
// of the scratch memory goes.
constexpr std::uint64_t coded_survivors_per_neighbor = 64, coded_survivors_share = 16, most_coded_survivors = 1 << 18;

}  // namespace

std::uint32_t search::many_workgroup(const Capabilities& capabilities) {
  std::uint32_t size = largest_workgroup;
  while (size > 64 && size > capabilities.max_workgroup_size) size /= 2;
  return size;
}

// A row that is collected costs about as much as the products of a few hundred others that are sampled: what both cost
// together is least near this share, which keeps the memory that both take small, too.
std::uint32_t search::many_sampled_share(std::uint64_t k, std::uint32_t tiles) {
  return std::max(1u, static_cast<std::uint32_t>(std::lround(std::sqrt(tiles / (2.0 * static_cast<double>(k))))));
}

Support ScreenedPlan::Implementation::supports_many(const Device& device, const SearchDescription& description,
                                                    bool screened) {
  if (!screened && description.rows < canonical_rows_per_neighbor * description.k)
    return Support::no(
        Limit::neighbors,
        fmt::format("canonical thresholds for more than {} neighbours need {} times as many rows; there "
                    "are {} rows and k is {}",
                    passes::screen_most_sorted, canonical_rows_per_neighbor, description.rows, description.k));
  passes::ScreenSurvivorsParameters probe{};
  probe.query_count = 1;
  const std::uint32_t workgroup = many_workgroup(device.capabilities());
  if (Support support = device.supports(passes::make_screen_survivors(probe, description.metric, workgroup)); !support)
    return support;
  return device.supports(passes::make_screen_runs({}, description.metric, short_run, workgroup));
}

std::uint32_t ScreenedPlan::Implementation::survivors_by_codes() const {
  const std::uint64_t of_rows = std::min(description_.rows / coded_survivors_share, most_coded_survivors);
  const std::uint64_t wanted = std::max(coded_survivors_per_neighbor * description_.k, of_rows);
  // Twice as many are collected.
  const std::uint64_t bytes = 2 * found_bytes + key_bytes;
  const std::uint64_t fitting = description_.scratch_limit / 4 / description_.queries / bytes;
  const std::uint64_t least = description_.k + description_.k / 2;
  return static_cast<std::uint32_t>(std::min(std::max(std::min(wanted, fitting), least), description_.rows));
}

bool ScreenedPlan::Implementation::lists_survivors(const Device& device) const {
  // A processor has memory enough for all that codes leave.
  if (coded()) return is_cpu(device) && !description_.copy_alone;
  if (description_.k > most_refined) return true;
  if (!by_differences()) return false;
  // Of few queries multiprocessors stand by while one workgroup looks at all rows that a query leaves. Through Vulkan, 100 queries of
  // 65,536 × 64 by l1, k = 256, take 0.138 ms with lists and 0.267 without (H200); with lists 1,000 queries take up to 14 %
  // longer.
  const std::uint32_t survivors = survivors_by_differences();
  if (survivors > (has_multiprocessor_each(device.capabilities()) ? most_kept_of_few : passes::screen_most_survivors))
    return true;
  passes::ScreenRefineParameters probe{};
  probe.query_count = 1;
  probe.k = static_cast<std::uint32_t>(description_.k);
  return !device.supports(passes::make_screen_refine(probe, description_.metric, 0, false, least_survivors_));
}

void ScreenedPlan::Implementation::choose_many(const Device& device) {
  const Capabilities& capabilities = device.capabilities();
  const auto k = static_cast<std::uint32_t>(description_.k);
  many_.room = k + k / 2;
  if (coded()) many_.room = survivors_by_codes();
  if (by_differences()) {
    // No less than one workgroup keeps of fewer neighbours.
    const std::uint32_t kept = description_.k <= most_refined ? least_survivors_ : 0;
    many_.room = std::max(
        {as_room(listed_room_for_near(accumulated(description_.metric), near_by_codes(), description_.k)), k, kept});
  }
  many_.run = capabilities.shared_memory_bytes >= long_run_bytes ? long_run : short_run;
  many_.workgroup = many_workgroup(capabilities);
  scan_round_ = keys_at_once(device, k);
  rescues_ = rescues_ && description_.rows >= canonical_rows_per_neighbor * k;
}

void ScreenedPlan::Implementation::record_survivors(Recording& recording, const passes::Rows& rows,
                                                    const SearchBuffers& buffers, const Block& block,
                                                    const Lists& lists, std::uint64_t selected,
                                                    std::uint64_t query_bounds, bool rescue) const {
  const std::uint64_t scratch = buffers.scratch.address();
  // Without a selection, results go by the number within the block.
  const std::uint64_t first = selected != 0 ? 0 : block.first;
  passes::ScreenSurvivorsParameters survivors{};
  const CanonicalRows evaluated = canonical_rows(rows, rescue);
  survivors.rows = evaluated.rows;
  survivors.queries = buffers.queries.address() + first * description_.dimensions * 4;
  survivors.selected = selected;
  survivors.row_bounds = query_bounds != 0 ? screened_->bounds().address() : 0;
  survivors.query_bounds = query_bounds;
  survivors.found = scratch + found_offset_;
  survivors.counts = scratch + lists.counts;
  survivors.survivors = scratch + survivors_offset_;
  survivors.survivor_counts = scratch + survivor_counts_offset_;
  survivors.undecided = undecided_behind(scratch, rescue);
  survivors.dimensions = description_.dimensions;
  survivors.splits = lists.splits;
  survivors.capacity = lists.capacity;
  survivors.k = static_cast<std::uint32_t>(description_.k);
  survivors.room = many_.room;
  survivors.first_query = static_cast<std::uint32_t>(first);
  survivors.first_selected = block.first;
  survivors.query_count = block.queries;
  recording.record(
      passes::make_screen_survivors(survivors, description_.metric, many_.workgroup, rescue, evaluated.element));
  recording.barrier();

  passes::ScreenRunsParameters runs{};
  runs.survivors = survivors.survivors;
  runs.survivor_counts = survivors.survivor_counts;
  // The lists of a query have been read.
  runs.spare = survivors.found;
  runs.spare_stride = lists.splits * lists.capacity;
  runs.selected = selected;
  runs.indices = buffers.indices.address() + first * description_.k * 4;
  runs.distances = buffers.distances.address() + first * description_.k * 4;
  runs.undecided = survivors.undecided;
  runs.room = many_.room;
  runs.k = survivors.k;
  runs.finish = finish_of(description_);
  runs.first_query = survivors.first_query;
  runs.first_selected = block.first;
  runs.query_count = block.queries;
  recording.record(passes::make_screen_runs(runs, description_.metric, many_.run, many_.workgroup, rescue));
}

}  // namespace proxel
