#include <array>

#include <fmt/format.h>

#include "search/bindings.hpp"
#include "search/selection_algorithm.hpp"
#include "search/selection_times.hpp"

namespace proxel {

using namespace search;

namespace {

constexpr std::uint64_t most_stride = 0xFFFFFFFFull;

// In the order in which `automatic` would take them where both serve.
struct MethodEntry {
  SelectionMethod method;
  Support (*supports)(const Device&, const SelectionDescription&);
  std::unique_ptr<const SelectionAlgorithm> (*make)(Device&, const SelectionDescription&);
};

constexpr std::array methods = {
    MethodEntry{SelectionMethod::streaming, streaming_supports, make_streaming},
    MethodEntry{SelectionMethod::threshold, threshold_supports, make_threshold},
    MethodEntry{SelectionMethod::radix_sort, radix_sort_supports, make_radix_sort},
    MethodEntry{SelectionMethod::quick_multi_select_subgroup, quick_multi_select_supports, make_quick_multi_select},
    MethodEntry{SelectionMethod::quick_multi_select_workgroup, quick_multi_select_supports, make_quick_multi_select},
    MethodEntry{SelectionMethod::quick_sort, quick_sort_supports, make_quick_sort},
    MethodEntry{SelectionMethod::radix_select, radix_sort_supports, make_radix_sort},
    MethodEntry{SelectionMethod::bucket_select, radix_sort_supports, make_radix_sort},
    MethodEntry{SelectionMethod::truncated_bitonic_sort, truncated_sort_supports, make_truncated_sort},
    MethodEntry{SelectionMethod::sample_select, sample_select_supports, make_sample_select},
};

const MethodEntry* find(SelectionMethod method) {
  for (const MethodEntry& entry : methods)
    if (entry.method == method) return &entry;
  return nullptr;
}

// Checks the description and fills in its defaults.
SelectionDescription checked(SelectionDescription description) {
  require_range("rows", description.rows, 1, most_rows);
  require_range("columns", description.columns, 1, most_rows);
  require_range("k", description.k, 1, most_rows);
  require_range("scratch_limit", description.scratch_limit, 1u << 20, UINT64_MAX);
  require_enumerator("method", description.method, last_selection_method);
  if (description.row_stride == 0) description.row_stride = description.columns;
  require_range("row_stride", description.row_stride, description.columns, most_stride);
  return description;
}

SelectionDescription with_method(const Device& device, SelectionDescription description) {
  if (description.method != SelectionMethod::automatic) return description;
  if (!streaming_supports(device, description)) {
    // Processors sort nearly whole rows by radix.
    const bool sooner = device.capabilities().runs_on_host
                            ? description.k <= description.columns / 2
                            : sample_select_milliseconds(device, description) < radix_milliseconds(description);
    description.method = sooner && sample_select_supports(device, description) ? SelectionMethod::sample_select
                                                                               : SelectionMethod::radix_sort;
    return description;
  }
  description.method = SelectionMethod::streaming;
  if (device.capabilities().runs_on_host || !worth_sharing(device, description)) return description;
  double least = streaming_milliseconds(description);
  const auto consider = [&](SelectionMethod method, double milliseconds, Support support) {
    if (!support || milliseconds >= least) return;
    least = milliseconds;
    description.method = method;
  };
  consider(SelectionMethod::threshold, threshold_milliseconds(device, description),
           threshold_supports(device, description));
  consider(SelectionMethod::sample_select, sample_select_milliseconds(device, description),
           sample_select_supports(device, description));
  return description;
}

Support method_supports(const Device& device, const SelectionDescription& description) {
  const MethodEntry* entry = find(description.method);
  if (!entry)
    return Support::no(Limit::method,
                       fmt::format("the method {} does not select from matrices", to_string(description.method)));
  return entry->supports(device, description);
}

}  // namespace

std::string_view to_string(SelectionMethod method) {
  switch (method) {
    case SelectionMethod::automatic:
      return "auto";
    case SelectionMethod::streaming:
      return "streaming";
    case SelectionMethod::threshold:
      return "threshold";
    case SelectionMethod::radix_sort:
      return "radix-sort";
    case SelectionMethod::quick_multi_select_subgroup:
      return "quick-subgroup";
    case SelectionMethod::quick_multi_select_workgroup:
      return "quick-workgroup";
    case SelectionMethod::quick_sort:
      return "quick-sort";
    case SelectionMethod::radix_select:
      return "radix-select";
    case SelectionMethod::bucket_select:
      return "bucket-select";
    case SelectionMethod::truncated_bitonic_sort:
      return "bitonic-sort";
    case SelectionMethod::sample_select:
      return "sample-select";
  }
  return "unknown";
}

Support SelectionPlan::supports(Device& device, const SelectionDescription& description) {
  return method_supports(device, with_method(device, checked(description)));
}

SelectionPlan SelectionPlan::make(Device& device, const SelectionDescription& description) {
  const SelectionDescription complete = with_method(device, checked(description));
  if (const Support support = method_supports(device, complete); !support)
    throw Error(ErrorCode::unsupported,
                fmt::format("selection by {} on {}", to_string(complete.method), device.info().id), support.reason);
  SelectionPlan plan;
  plan.device_ = &device;
  plan.algorithm_ = Planned<Algorithm>(find(complete.method)->make(device, complete));
  return plan;
}

SelectionMethod SelectionPlan::method() const { return algorithm_->method(); }
std::uint64_t SelectionPlan::scratch_bytes() const { return algorithm_->scratch_bytes(); }

void SelectionPlan::record(Recording& recording, const SelectionBuffers& buffers) const {
  const SelectionDescription& description = algorithm_->description();
  const std::uint64_t values = (description.rows - 1) * description.row_stride + description.columns;
  Bindings bindings(recording, *device_);
  bindings.reads("values buffer", buffers.values, elements_requirement(values));
  if (description.has_payload) bindings.reads("payload buffer", buffers.payload, elements_requirement(values));
  bindings.writes("scratch buffer", buffers.scratch, scratch_requirement(scratch_bytes()));
  const BufferRequirement results = elements_requirement(description.rows * description.k);
  bindings.writes("indices buffer", buffers.indices, results);
  bindings.writes("selected buffer", buffers.selected, results);
  recording.push_label("selection");
  algorithm_->record(recording, buffers);
  recording.pop_label();
}

}  // namespace proxel
