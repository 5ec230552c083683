// Komarov 2013's selection: rows in parallel, a subgroup or a workgroup on each.

#include <algorithm>

#include "proxel/passes.hpp"
#include "search/check.hpp"
#include "search/selection_algorithm.hpp"

namespace proxel::search {
namespace {

// Workgroups of 128 that fill a multiprocessor of 2,048 threads.
constexpr std::uint32_t groups_per_multiprocessor = 16;
constexpr std::uint32_t groups_where_unknown = 1024;
constexpr std::uint32_t groups_on_host = 16;

bool by_subgroup(const SelectionDescription& description) {
  return description.method == SelectionMethod::quick_multi_select_subgroup;
}

/// Rows that a workgroup works on at once.
std::uint32_t rows_per_group(const Device& device, const SelectionDescription& description) {
  return by_subgroup(description)
             ? passes::quick_multi_select_rows(device.capabilities().subgroup_size)
             : 1;
}

Pass make_pass(const Device& device, const SelectionDescription& description,
               const passes::QuickMultiSelectParameters& parameters, std::uint32_t groups) {
  return by_subgroup(description)
             ? passes::make_quick_multi_select_subgroup(
                   parameters, device.capabilities().subgroup_size, groups)
             : passes::make_quick_multi_select_workgroup(parameters, groups);
}

std::uint32_t wanted_groups(const Capabilities& capabilities) {
  if (capabilities.runs_on_host) return groups_on_host;
  if (capabilities.multiprocessors == 0) return groups_where_unknown;
  return capabilities.multiprocessors * groups_per_multiprocessor;
}

class QuickMultiSelect : public SelectionAlgorithm {
 public:
  QuickMultiSelect(Device& device, const SelectionDescription& description)
      : SelectionAlgorithm(description, description.method), device_(device) {
    const std::uint32_t per_group = rows_per_group(device, description);
    const std::uint64_t per_group_bytes = 2 * description.columns * key_bytes * per_group;
    const std::uint64_t most_groups = std::clamp<std::uint64_t>(
        description.scratch_limit / per_group_bytes, 1, wanted_groups(device.capabilities()));
    // As few as take as many turns, so that the last turn is a full one.
    const std::uint64_t turns = divide_up(description.rows, most_groups * per_group);
    groups_ = static_cast<std::uint32_t>(divide_up(description.rows, turns * per_group));
    scratch_bytes_ = align_scratch(groups_ * per_group_bytes);
    device.prepare(pass({}));
  }

  std::uint64_t scratch_bytes() const override { return scratch_bytes_; }

  void record(Recording& recording, const SelectionBuffers& buffers) const override {
    passes::QuickMultiSelectParameters parameters{};
    parameters.values = buffers.values.address();
    if (description_.has_payload) parameters.payload = buffers.payload.address();
    parameters.auxiliary = buffers.scratch.address();
    parameters.indices = buffers.indices.address();
    parameters.selected = buffers.selected.address();
    parameters.rows = static_cast<std::uint32_t>(description_.rows);
    parameters.columns = static_cast<std::uint32_t>(description_.columns);
    parameters.row_stride = static_cast<std::uint32_t>(description_.row_stride);
    parameters.k = static_cast<std::uint32_t>(description_.k);
    parameters.selected_stride = parameters.k;
    parameters.largest_first = description_.largest_first;
    recording.record(pass(parameters));
  }

 private:
  Pass pass(const passes::QuickMultiSelectParameters& parameters) const {
    return make_pass(device_, description_, parameters, groups_);
  }

  const Device& device_;
  std::uint32_t groups_ = 1;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace

Support quick_multi_select_supports(const Device& device,
                                    const SelectionDescription& description) {
  return device.supports(make_pass(device, description, {}, 1));
}

std::unique_ptr<const SelectionAlgorithm> make_quick_multi_select(
    Device& device, const SelectionDescription& description) {
  return std::make_unique<QuickMultiSelect>(device, description);
}

}  // namespace proxel::search
