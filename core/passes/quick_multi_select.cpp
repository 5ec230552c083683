// quick_multi_select_subgroup and quick_multi_select_workgroup: one answer, two
// ways of sharing the work.
#include <algorithm>
#include <bit>
#include <vector>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/quick_multi_select.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/quick_multi_select_workgroup.h"

namespace proxel {

namespace {

// Narrower ones share shared memory as if they were as wide, and some of them rest.
constexpr std::uint32_t narrowest_subgroup = 4;
constexpr std::uint32_t key_bytes = 8;
constexpr std::uint32_t sorted_bytes(std::uint32_t workgroup_size) {
  return workgroup_size * passes::quick_multi_select_sorted * key_bytes;
}
constexpr std::uint32_t stack_bytes = passes::quick_multi_select_stack * key_bytes;

}  // namespace

std::uint32_t passes::quick_multi_select_rows(std::uint32_t subgroup_size) {
  return common_workgroup / std::clamp(subgroup_size, narrowest_subgroup, common_workgroup);
}

Pass passes::make_quick_multi_select_subgroup(const QuickMultiSelectParameters& parameters, std::uint32_t subgroup_size,
                                              std::uint32_t workgroups) {
  const std::uint32_t rows = quick_multi_select_rows(subgroup_size);
  return make_pass(quick_multi_select_subgroup, parameters, {.teams = rows}, {workgroups, 1, 1}, common_workgroup,
                   sorted_bytes(common_workgroup) + rows * stack_bytes);
}

Pass passes::make_quick_multi_select_workgroup(const QuickMultiSelectParameters& parameters, std::uint32_t workgroups,
                                               std::uint32_t workgroup_size) {
  // Counts of the subgroups, which may be as narrow as one invocation, and their sum.
  const std::uint32_t count_bytes = 4 * (quick_multi_select_segments * workgroup_size + 1);
  return make_pass(quick_multi_select_workgroup, parameters, {}, {workgroups, 1, 1}, workgroup_size,
                   sorted_bytes(workgroup_size) + stack_bytes + count_bytes);
}

void passes::select_smallest(const QuickMultiSelectParameters& parameters, std::uint64_t row,
                             std::vector<std::uint64_t>& keys) {
  const std::uint64_t first = row * parameters.row_stride;
  const float* values = at<const float>(parameters.values) + first;
  keys.resize(parameters.columns);
  const auto* offsets = at<const float>(parameters.offsets);
  for (std::uint32_t column = 0; column < parameters.columns; ++column) {
    const float value = values[column] + (parameters.offsets == 0 ? 0.0f : offsets[column]);
    keys[column] = make_key(distance_key(value, parameters.largest_first != 0), column);
  }
  const std::uint32_t found = std::min(parameters.k, parameters.columns);
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(found);
  if (end != keys.end()) std::nth_element(keys.begin(), end, keys.end());
  std::sort(keys.begin(), end);

  const std::uint64_t slot = row * parameters.selected_stride;
  auto* indices = at<std::uint32_t>(parameters.indices) + slot;
  // As words, because a key may have the bits of a signalling NaN.
  auto* selected = at<std::uint32_t>(parameters.selected) + slot;
  const auto* payload = parameters.payload == 0 ? nullptr : at<const std::uint32_t>(parameters.payload) + first;
  for (std::uint32_t rank = 0; rank < found; ++rank) {
    const std::uint32_t column = index_of(keys[rank]);
    indices[rank] = payload ? payload[column] : parameters.first_index + column;
    selected[rank] = parameters.as_keys != 0 ? distance_key_of(keys[rank])
                                             : std::bit_cast<std::uint32_t>(value_of_distance_key(
                                                   distance_key_of(keys[rank]), parameters.largest_first != 0));
  }
  std::fill(indices + found, indices + parameters.k, index_of(no_row_key));
  std::fill(selected + found, selected + parameters.k,
            parameters.as_keys != 0 ? distance_key_of(no_row_key)
                                    : std::bit_cast<std::uint32_t>(no_row_distance(parameters.largest_first != 0)));
}

namespace {

void select_rows_one_by_one(const Pass& pass) {
  const auto parameters = pass.as<passes::QuickMultiSelectParameters>();
  std::vector<std::uint64_t> keys;
  for (std::uint64_t row = 0; row < parameters.rows; ++row) passes::select_smallest(parameters, row, keys);
}

}  // namespace

PROXEL_THREADED_PASS(quick_multi_select_subgroup)(const Pass& pass) { select_rows_one_by_one(pass); }
PROXEL_THREADED_PASS(quick_multi_select_workgroup)(const Pass& pass) { select_rows_one_by_one(pass); }

}  // namespace proxel
