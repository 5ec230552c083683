#include "c_api/rows_plan.hpp"

#include <algorithm>

#include "proxel/bvh.hpp"
#include "search/check.hpp"

namespace proxel::c_api {
namespace {

class ScanOfRows : public RowsPlan {
 public:
  ScanOfRows(Device& device, const SearchDescription& description, std::uint32_t row_stride)
      : RowsPlan(description, row_stride), plan_(make(device, description, rows_at(0))) {}

  std::uint64_t scratch_bytes() const override { return plan_.scratch_bytes(); }

 private:
  void write(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers) const override {
    const RowsSegment segment{rows, 0};
    plan_.record(recording, {&segment, 1}, buffers);
  }
  static ScanPlan make(Device& device, const SearchDescription& description, const passes::Rows& rows) {
    const RowsSegment segment{rows, 0};
    return ScanPlan::make(device, description, {&segment, 1});
  }

  ScanPlan plan_;
};

// The hierarchy is built and searched in the same scratch memory, one after the other.
class BvhOfRows : public RowsPlan {
 public:
  BvhOfRows(Device& device, const SearchDescription& description, std::uint32_t row_stride)
      : RowsPlan(description, row_stride), hierarchy_(device, description.rows, description.dimensions),
        plan_(BvhPlan::make(device, description, hierarchy_, rows_at(0))) {}

  std::uint64_t scratch_bytes() const override {
    return std::max(hierarchy_.scratch_bytes(), plan_.scratch_bytes());
  }

 private:
  void write(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers) const override {
    hierarchy_.record(recording, rows, buffers.scratch);
    recording.barrier();
    plan_.record(recording, rows, buffers);
  }

  BoxHierarchy hierarchy_;
  BvhPlan plan_;
};

void check_description(const SearchDescription& description) {
  search::check(description);
  refuse_normalized(description.metric);
}

}  // namespace

void refuse_normalized(Metric metric) {
  if (normalizes(metric))
    throw Error(ErrorCode::unsupported, "metric",
                std::string(to_string(metric)) +
                    " searches normalised rows, which an index keeps; plan a search of an index");
}

BufferRequirement RowsPlan::rows_requirement() const {
  const std::uint64_t elements = (description_.rows - 1) * row_stride_ + description_.dimensions;
  return {elements * 4, search::element_alignment, usage_storage | usage_device_address};
}

void RowsPlan::record(Recording& recording, const BufferView& rows, const SearchBuffers& buffers) const {
  const BufferRequirement needed = rows_requirement();
  search::require_buffer("rows buffer", rows, needed.bytes, needed.alignment);
  search::check(description_, buffers, scratch_bytes());
  write(recording, rows_at(rows.address()), buffers);
}

std::unique_ptr<RowsPlan> plan_scan(Device& device, const SearchDescription& description,
                                    std::uint32_t row_stride) {
  check_description(description);
  return std::make_unique<ScanOfRows>(device, description, row_stride);
}

std::unique_ptr<RowsPlan> plan_bvh(Device& device, const SearchDescription& description,
                                   std::uint32_t row_stride) {
  check_description(description);
  if (const Support support = BoxHierarchy::supports(device, description.rows, description.dimensions); !support)
    throw Error(ErrorCode::unsupported, "method", support.reason);
  if (const Support support = BvhPlan::supports(device, description); !support)
    throw Error(ErrorCode::unsupported, "method", support.reason);
  return std::make_unique<BvhOfRows>(device, description, row_stride);
}

}  // namespace proxel::c_api
