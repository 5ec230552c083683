#include "c_api/rows_plan.hpp"

#include "proxel/moving_points.hpp"
#include "search/check.hpp"

namespace proxel::c_api {
namespace {

class ScanOfRows : public RowsPlan {
 public:
  ScanOfRows(Device& device, const SearchDescription& description, std::uint32_t row_stride)
      : RowsPlan(description, row_stride), plan_(make(device, description, rows_at(0))) {}

  std::uint64_t scratch_bytes() const override { return plan_.scratch_bytes(); }

 private:
  void write(Recording& recording, const BufferView& rows, const SearchBuffers& buffers) const override {
    const RowsSegment segment{rows_at(rows.address()), 0};
    plan_.record(recording, {&segment, 1}, buffers);
  }
  static ScanPlan make(Device& device, const SearchDescription& description, const passes::Rows& rows) {
    const RowsSegment segment{rows, 0};
    return ScanPlan::make(device, description, {&segment, 1});
  }

  ScanPlan plan_;
};

class BvhOfRows : public RowsPlan {
 public:
  BvhOfRows(Device& device, const SearchDescription& description, std::uint32_t row_stride)
      : RowsPlan(description, row_stride),
        plan_(MovingPointsPlan::make(device, description, rows_at(0), {.own_scratch = false})) {}

  std::uint64_t scratch_bytes() const override { return plan_.scratch_bytes(); }

 private:
  void write(Recording& recording, const BufferView& rows, const SearchBuffers& buffers) const override {
    plan_.record(recording, {rows, buffers.indices, buffers.distances, buffers.scratch, buffers.queries, buffers.filter,
                             buffers.after, buffers.count});
  }

  MovingPointsPlan plan_;
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
  return search::elements_requirement(search::rows_bytes(rows_at(0), description_.dimensions) / 4);
}

void RowsPlan::record(Recording& recording, const BufferView& rows, const SearchBuffers& buffers) const {
  search::require_buffer("rows buffer", rows, rows_requirement());
  search::require_buffer("queries buffer", buffers.queries, requirements().queries);
  write(recording, rows, buffers);
}

std::unique_ptr<RowsPlan> plan_scan(Device& device, const SearchDescription& description,
                                    std::uint32_t row_stride) {
  check_description(description);
  return std::make_unique<ScanOfRows>(device, description, row_stride);
}

std::unique_ptr<RowsPlan> plan_bvh(Device& device, const SearchDescription& description,
                                   std::uint32_t row_stride) {
  check_description(description);
  if (const Support support = MovingPointsPlan::supports(device, description); !support)
    throw Error(ErrorCode::unsupported, "method", support.reason);
  return std::make_unique<BvhOfRows>(device, description, row_stride);
}

}  // namespace proxel::c_api
