#pragma once

#include "proxel/selection.hpp"

namespace proxel {

/// One method of selection, sized for one description: what SelectionPlan
/// forwards to. Its maker has the device prepare every pass.
class SelectionPlan::Algorithm {
 public:
  Algorithm(const SelectionDescription& description, SelectionMethod method)
      : description_(description), method_(method) {}
  virtual ~Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;

  const SelectionDescription& description() const { return description_; }
  SelectionMethod method() const { return method_; }
  virtual std::uint64_t scratch_bytes() const { return 0; }
  /// Buffers have been checked against the description.
  virtual void record(Recording& recording, const SelectionBuffers& buffers) const = 0;

 protected:
  SelectionDescription description_;  // row_stride is never 0
  SelectionMethod method_;
};

}  // namespace proxel

namespace proxel::search {

using SelectionAlgorithm = SelectionPlan::Algorithm;

// A method's two functions: whether the device and the description suit it, and
// its maker, called only where they do. The description has been checked and
// its row_stride is never 0. selection_plan.cpp has the table of methods.
Support streaming_supports(const Device& device, const SelectionDescription& description);
std::unique_ptr<const SelectionAlgorithm> make_streaming(Device& device, const SelectionDescription& description);
Support threshold_supports(const Device& device, const SelectionDescription& description);
std::unique_ptr<const SelectionAlgorithm> make_threshold(Device& device, const SelectionDescription& description);
// Three methods: the description says which.
Support radix_sort_supports(const Device& device, const SelectionDescription& description);
std::unique_ptr<const SelectionAlgorithm> make_radix_sort(Device& device, const SelectionDescription& description);
Support sample_select_supports(const Device& device, const SelectionDescription& description);
// What it is expected to take on an H200 (docs/lab/selection.md).
double sample_select_milliseconds(const Device& device, const SelectionDescription& description);
std::unique_ptr<const SelectionAlgorithm> make_sample_select(Device& device, const SelectionDescription& description);
Support truncated_sort_supports(const Device& device, const SelectionDescription& description);
std::unique_ptr<const SelectionAlgorithm> make_truncated_sort(Device& device, const SelectionDescription& description);
// Both of its methods; the description says which.
Support quick_multi_select_supports(const Device& device, const SelectionDescription& description);
std::unique_ptr<const SelectionAlgorithm> make_quick_multi_select(Device& device,
                                                                  const SelectionDescription& description);
Support quick_sort_supports(const Device& device, const SelectionDescription& description);
std::unique_ptr<const SelectionAlgorithm> make_quick_sort(Device& device, const SelectionDescription& description);

}  // namespace proxel::search
