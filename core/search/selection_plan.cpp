#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "proxel/passes/distribution.h"
#include "search/bindings.hpp"
#include "search/selection_algorithm.hpp"

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

// Few rows do not keep a device busy with a workgroup each. A workgroup that reads a row alone waits for memory, the less the more
// invocations it has (streaming_pool()); of a row that is shared one workgroup reads again what the others have left, some rows for each
// multiprocessor in turn. What either takes in milliseconds on an H200 (docs/lab/selection.md).
bool shares_rows(const Device& device, const SelectionDescription& description) {
  constexpr std::uint64_t rows_per_multiprocessor = 8;
  constexpr std::uint64_t worth_sharing = 32768;
  const std::uint64_t multiprocessors = known_multiprocessors(device.capabilities());
  if (description.rows >= rows_per_multiprocessor * multiprocessors || description.columns < worth_sharing)
    return false;
  const auto rows = static_cast<double>(description.rows);
  const auto columns = static_cast<double>(description.columns);
  const auto k = static_cast<double>(description.k);
  const double reading = 1.2e-9 * rows * columns;
  const double waiting = description.k <= 128 ? 9e-7 : description.k <= 1024 ? 4.6e-7 : 2.7e-7;
  const double turns = std::max(1.0, rows / static_cast<double>(multiprocessors));
  return 0.02 + reading + turns * (0.004 + 1e-5 * k) < std::max(0.0134 + waiting * columns, reading);
}

// Where more is selected than shared memory holds. A workgroup samples a row and puts what it lists in order, some rows for each
// multiprocessor in turn; radix passes share all rows among all multiprocessors, and read each several times. What either
// takes in milliseconds on an H200 (docs/lab/selection.md).
bool sampling_is_sooner(const Device& device, const SelectionDescription& description) {
  if (device.capabilities().runs_on_host) return true;
  const auto rows = static_cast<double>(description.rows);
  const auto columns = static_cast<double>(description.columns);
  const auto k = static_cast<double>(description.k);
  // Lists are about as much longer; longer ones than are distributed are sorted in runs.
  constexpr double listed = 1.4;
  const double ordering = listed * k <= passes::most_distributed ? 5.5e-6 : 2.4e-5;
  const double turns = std::max(1.0, rows / known_multiprocessors(device.capabilities()));
  return turns * (0.018 + ordering * k + 1.8e-7 * columns) < 0.12 + rows * (2.8e-8 * columns + 9e-8 * k);
}

SelectionDescription with_method(const Device& device, SelectionDescription description) {
  if (description.method != SelectionMethod::automatic) return description;
  if (streaming_supports(device, description))
    description.method = SelectionMethod::streaming;
  else if (sample_select_supports(device, description) && sampling_is_sooner(device, description))
    description.method = SelectionMethod::sample_select;
  else
    description.method = SelectionMethod::radix_sort;
  if (shares_rows(device, description) && threshold_supports(device, description))
    description.method = SelectionMethod::threshold;
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
