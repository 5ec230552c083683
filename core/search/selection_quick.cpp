// Quick multi-select as a method of selection.

#include "search/quick_multi_select.hpp"
#include "search/rehearsal.hpp"
#include "search/selection_algorithm.hpp"

namespace proxel::search {
namespace {

QuickMultiSelect::Shape shape_of(const SelectionDescription& description) {
  return {description.method == SelectionMethod::quick_multi_select_subgroup, description.rows, description.columns,
          description.k};
}

class QuickSelection : public SelectionAlgorithm {
 public:
  QuickSelection(Device& device, const SelectionDescription& description)
      : SelectionAlgorithm(description, description.method),
        quick_(device, shape_of(description), description.scratch_limit) {
    RehearsalBuffer nowhere(UINT64_MAX);
    rehearse(device, [&](Recording& rehearsal) { record(rehearsal, {nowhere, nowhere, nowhere, nowhere, nowhere}); });
  }

  std::uint64_t scratch_bytes() const override { return quick_.scratch_bytes(); }

  void record(Recording& recording, const SelectionBuffers& buffers) const override {
    passes::QuickMultiSelectParameters parameters{};
    parameters.values = buffers.values.address();
    if (description_.has_payload) parameters.payload = buffers.payload.address();
    if (scratch_bytes() != 0) parameters.auxiliary = buffers.scratch.address();
    parameters.indices = buffers.indices.address();
    parameters.selected = buffers.selected.address();
    parameters.rows = static_cast<std::uint32_t>(description_.rows);
    parameters.columns = static_cast<std::uint32_t>(description_.columns);
    parameters.row_stride = static_cast<std::uint32_t>(description_.row_stride);
    parameters.k = static_cast<std::uint32_t>(description_.k);
    parameters.selected_stride = parameters.k;
    parameters.largest_first = description_.largest_first;
    quick_.record(recording, parameters);
  }

 private:
  QuickMultiSelect quick_;
};

}  // namespace

Support quick_multi_select_supports(const Device& device, const SelectionDescription& description) {
  return QuickMultiSelect::supports(device, shape_of(description));
}

std::unique_ptr<const SelectionAlgorithm> make_quick_multi_select(Device& device,
                                                                  const SelectionDescription& description) {
  return std::make_unique<QuickSelection>(device, description);
}

}  // namespace proxel::search
