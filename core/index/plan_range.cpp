#include "index/plan_range.hpp"

#include "search/bindings.hpp"

namespace proxel::index {
namespace {

class RowsWithin final : public PlannedRangeSearch {
 public:
  RowsWithin(Storage& storage, const RangeDescription& description)
      : PlannedRangeSearch(description), device_(storage.device()), segments_(storage.segments(description.metric)),
        plan_(RangePlan::make(storage.device(), description, segments_)),
        own_bytes_(normalizes(description.metric)
                       ? search::align_scratch(std::uint64_t{description.queries} * description.dimensions * 4)
                       : 0) {}

  std::uint64_t scratch_bytes() const override { return own_bytes_ + plan_.scratch_bytes(); }

  void record(Recording& recording, const RangeBuffers& buffers) const override {
    plan_.record(recording, segments_, normalized(recording, buffers, true));
  }
  void record_count(Recording& recording, const RangeBuffers& buffers) const override {
    plan_.record_count(recording, segments_, normalized(recording, buffers, false));
  }
  void record_fill(Recording& recording, const RangeBuffers& buffers) const override {
    plan_.record_fill(recording, segments_, normalized(recording, buffers, true));
  }

 private:
  // The same with queries as the metric accumulates them.
  RangeBuffers normalized(Recording& recording, const RangeBuffers& buffers, bool fill) const {
    search::Bindings bindings(recording, device_);
    search::check(bindings, description(), buffers, scratch_bytes(), fill);
    if (own_bytes_ == 0) return buffers;
    RangeBuffers inner = buffers;
    inner.queries = buffers.scratch.part(0, own_bytes_);
    inner.scratch = buffers.scratch.part(own_bytes_, plan_.scratch_bytes());
    const auto rows = [&](const BufferView& view) {
      return row_major_rows(view.address(), description().queries, description().dimensions);
    };
    record_normalize(recording, description().metric, rows(buffers.queries), rows(inner.queries),
                     description().dimensions);
    recording.barrier();
    return inner;
  }

  const Device& device_;
  std::span<const RowsSegment> segments_;
  RangePlan plan_;
  std::uint64_t own_bytes_;  // in front of the plan's
};

}  // namespace

std::unique_ptr<PlannedRangeSearch> plan_range(Storage& storage, const RangeDescription& description) {
  return std::make_unique<RowsWithin>(storage, description);
}

}  // namespace proxel::index
