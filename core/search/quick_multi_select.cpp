#include "search/quick_multi_select.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "passes/grids.hpp"
#include "proxel/passes/quick_multi_select_workgroup.h"
#include "search/check.hpp"

namespace proxel::search {
namespace {

// A multiprocessor has 2,048 threads, which workgroups of 128 fill.
constexpr std::uint32_t threads_per_multiprocessor = 2048;
constexpr std::uint32_t groups_per_multiprocessor = threads_per_multiprocessor / passes::common_workgroup;
// "up to 512 threads" (Komarov 2013).
constexpr std::uint32_t widest_workgroup = 512;
constexpr std::uint32_t groups_where_unknown = 1024;
// Processors that pose as GPUs: llvmpipe ends an invocation silently after
// 65,535 turns of loops, those of all rows that it works on together. So there
// a pass gives each worker one row, of limited length.
constexpr std::uint32_t groups_on_host = 256;
constexpr std::uint64_t most_turns_on_host = 65535;

bool limits_loops(const Device& device) {
  return device.info().backend == BackendKind::vulkan && device.capabilities().runs_on_host;
}

std::uint32_t resident_groups(const Capabilities& capabilities) {
  if (capabilities.runs_on_host) return groups_on_host;
  if (capabilities.multiprocessors == 0) return groups_where_unknown;
  return capabilities.multiprocessors * groups_per_multiprocessor;
}

/// Rows that a workgroup works on at once.
std::uint32_t rows_per_group(const Device& device, bool by_subgroup) {
  return by_subgroup ? passes::quick_multi_select_rows(device.capabilities().subgroup_size) : 1;
}

// About how often the loops of one invocation turn for a row, from above.
std::uint64_t loop_turns(const Device& device, const QuickMultiSelect::Shape& shape) {
  using namespace passes;
  const std::uint64_t width = common_workgroup / rows_per_group(device, shape.by_subgroup);
  const std::uint64_t sorted = width * quick_multi_select_sorted;
  const std::uint64_t found = std::min(shape.k, shape.columns);
  // The row is split twice, what is found once for every halving.
  std::uint64_t halvings = 1;
  while (found >> halvings > sorted) ++halvings;
  const std::uint64_t read = 2 * shape.columns + halvings * found;
  const std::uint64_t added_up = shape.by_subgroup ? 0
                                                   : quick_multi_select_segments * common_workgroup /
                                                         std::max(device.capabilities().subgroup_size, 1u);
  const std::uint64_t splitting = divide_up(read, width * quick_multi_select_segments) * (1 + added_up);
  // Partitions that are sorted, at worst half full, and a sample sorted for each.
  const std::uint64_t bits = std::bit_width(sorted);
  const std::uint64_t sort = bits * bits / 2 * (quick_multi_select_sorted / 2 + 1);
  return splitting + (4 * divide_up(found, sorted) + 8) * sort;
}

Pass pass_of(bool by_subgroup, std::uint32_t subgroup_size, std::uint32_t groups, std::uint32_t threads,
             const passes::QuickMultiSelectParameters& parameters) {
  return by_subgroup ? passes::make_quick_multi_select_subgroup(parameters, subgroup_size, groups)
                     : passes::make_quick_multi_select_workgroup(parameters, groups, threads);
}

// Threads of a workgroup: more than 128 where rows are so few that the device has room for more, and long.
std::uint32_t choose_threads(const Device& device, const QuickMultiSelect::Shape& shape) {
  constexpr std::uint64_t worth_a_thread = 64;  // values
  const Capabilities& can = device.capabilities();
  std::uint32_t threads = passes::common_workgroup;
  if (shape.by_subgroup || can.runs_on_host) return threads;
  const std::uint64_t room = std::uint64_t{known_multiprocessors(can)} * threads_per_multiprocessor;
  const auto suits = [&](std::uint32_t wanted) {
    return wanted <= std::min(can.max_workgroup_size, widest_workgroup) && shape.rows * wanted <= room &&
           shape.columns >= wanted * worth_a_thread &&
           pass_of(false, can.subgroup_size, 1, wanted, {}).shared_bytes <= can.shared_memory_bytes;
  };
  while (suits(2 * threads)) threads *= 2;
  return threads;
}

}  // namespace

Support QuickMultiSelect::supports(const Device& device, const Shape& shape) {
  if (limits_loops(device) && loop_turns(device, shape) > most_turns_on_host)
    return Support::no(Limit::neighbors, fmt::format("rows of {} values, k = {}, may take more turns of loops than "
                                                     "the {} of a software device such as llvmpipe",
                                                     shape.columns, shape.k, most_turns_on_host));
  return device.supports(
      pass_of(shape.by_subgroup, device.capabilities().subgroup_size, 1, choose_threads(device, shape), {}));
}

QuickMultiSelect::QuickMultiSelect(const Device& device, const Shape& shape, std::uint64_t scratch_limit)
    : by_subgroup_(shape.by_subgroup),
      subgroup_size_(device.capabilities().subgroup_size),
      threads_(choose_threads(device, shape)) {
  const std::uint32_t per_group = rows_per_group(device, by_subgroup_);
  // A row that is sorted at once needs no auxiliary memory.
  const bool partitioned = shape.columns > passes::quick_multi_select_sorted * threads_ / per_group;
  const std::uint64_t group_bytes = partitioned ? 2 * shape.columns * key_bytes * per_group : 0;
  const std::uint64_t most_groups = std::clamp<std::uint64_t>(scratch_limit / std::max<std::uint64_t>(group_bytes, 1),
                                                              1, resident_groups(device.capabilities()));
  // As few as take as many turns, so that the last turn is a full one.
  const std::uint64_t turns = divide_up(shape.rows, most_groups * per_group);
  groups_ = static_cast<std::uint32_t>(divide_up(shape.rows, turns * per_group));
  rows_per_pass_ = limits_loops(device) ? std::uint64_t{groups_} * per_group : shape.rows;
  scratch_bytes_ = align_scratch(groups_ * group_bytes);
}

Pass QuickMultiSelect::make_pass(const passes::QuickMultiSelectParameters& parameters) const {
  return pass_of(by_subgroup_, subgroup_size_, groups_, threads_, parameters);
}

void QuickMultiSelect::record(Recording& recording, const passes::QuickMultiSelectParameters& parameters) const {
  for (std::uint64_t first = 0; first < parameters.rows; first += rows_per_pass_) {
    // The auxiliary memory may still be in use by the rows before.
    if (first != 0) recording.barrier();
    const std::uint64_t row_bytes = first * parameters.row_stride * 4;
    const std::uint64_t slot_bytes = first * parameters.selected_stride * 4;
    auto part = parameters;
    part.values += row_bytes;
    if (part.payload != 0) part.payload += row_bytes;
    part.indices += slot_bytes;
    part.selected += slot_bytes;
    part.rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows_per_pass_, parameters.rows - first));
    recording.record(make_pass(part));
  }
}

}  // namespace proxel::search
