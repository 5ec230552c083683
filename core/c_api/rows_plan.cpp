#include "c_api/rows_plan.hpp"

#include "c_api/arguments.hpp"
#include "proxel/moving_points.hpp"
#include "search/bindings.hpp"

namespace proxel::c_api {
namespace {

// @tparam Description  of a search or a range search
template <typename Description>
class RowsPlan : public Plan {
 public:
  SearchRequirements requirements() const override {
    SearchRequirements needed = requirements_of(description_, bytes_of_scratch());
    needed.rows = search::elements_requirement(search::rows_bytes(rows_at(0), description_.dimensions) / 4);
    return needed;
  }

 protected:
  RowsPlan(const Description& description, std::uint32_t row_stride)
      : description_(description), row_stride_(row_stride) {}

  virtual std::uint64_t bytes_of_scratch() const = 0;
  // Where the rows lie, of an address that may still be unknown.
  passes::Rows rows_at(std::uint64_t address) const { return row_major_rows(address, description_.rows, row_stride_); }
  void check_rows(const SearchBuffers& buffers) const {
    const SearchRequirements needed = requirements();
    search::require_buffer("rows buffer", buffers.rows, needed.rows);
    search::require_buffer("queries buffer", buffers.queries, needed.queries);
  }

 private:
  Description description_;
  std::uint32_t row_stride_;
};

// @tparam Recorded  ScanPlan or RangePlan
template <typename Recorded, typename Description>
class SegmentPlan final : public RowsPlan<Description> {
 public:
  SegmentPlan(Device& device, const Description& description, std::uint32_t row_stride)
      : RowsPlan<Description>(description, row_stride), plan_(make(device, description)) {}

  bool has_halves() const override { return within; }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    this->check_rows(buffers);
    const RowsSegment segment{this->rows_at(buffers.rows.address()), 0};
    if constexpr (within) return plan_.record(recording, {&segment, 1}, buffers, part);
    search::require_whole(part);
    plan_.record(recording, {&segment, 1}, buffers);
  }

 private:
  static constexpr bool within = std::is_same_v<Description, RangeDescription>;

  std::uint64_t bytes_of_scratch() const override { return plan_.scratch_bytes(); }
  Recorded make(Device& device, const Description& description) const {
    const RowsSegment segment{this->rows_at(0), 0};
    return Recorded::make(device, description, {&segment, 1});
  }

  Recorded plan_;
};

class BvhOfRows final : public RowsPlan<SearchDescription> {
 public:
  BvhOfRows(Device& device, const SearchDescription& description, std::uint32_t row_stride)
      : RowsPlan(description, row_stride),
        plan_(MovingPointsPlan::make(device, description, rows_at(0), {.own_scratch = false})) {}

  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    search::require_whole(part);
    check_rows(buffers);
    plan_.record(recording, {buffers.rows, buffers.indices, buffers.distances, buffers.scratch, buffers.queries,
                             buffers.filter, buffers.after, buffers.count});
  }

 private:
  std::uint64_t bytes_of_scratch() const override { return plan_.scratch_bytes(); }

  MovingPointsPlan plan_;
};

class SelectionOfValues final : public Plan {
 public:
  SelectionOfValues(Device& device, const SelectionDescription& description)
      : description_(description), plan_(SelectionPlan::make(device, description)) {}

  SearchRequirements requirements() const override {
    const std::uint64_t stride = limit_or(description_.row_stride, description_.columns);
    SearchRequirements needed;
    needed.values = search::elements_requirement((description_.rows - 1) * stride + description_.columns);
    if (description_.has_payload) needed.payload = needed.values;
    needed.scratch = search::scratch_requirement(plan_.scratch_bytes());
    needed.indices = needed.distances = search::elements_requirement(description_.rows * description_.k);
    return needed;
  }
  PlanInfo info() const override { return {to_string(plan_.method()), 0}; }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    search::require_whole(part);
    plan_.record(recording, {buffers.values, buffers.payload, buffers.scratch, buffers.indices, buffers.distances});
  }

 private:
  SelectionDescription description_;
  SelectionPlan plan_;
};

void refuse_normalized(Metric metric) {
  if (normalizes(metric))
    throw Error(
        ErrorCode::unsupported, "metric",
        std::string(to_string(metric)) + " searches normalised rows, which an index keeps; plan a search of an index");
}

}  // namespace

std::unique_ptr<Plan> plan_scan(Device& device, const SearchDescription& description, std::uint32_t row_stride) {
  search::check(description);
  refuse_normalized(description.metric);
  return std::make_unique<SegmentPlan<ScanPlan, SearchDescription>>(device, description, row_stride);
}

std::unique_ptr<Plan> plan_bvh(Device& device, const SearchDescription& description, std::uint32_t row_stride) {
  search::check(description);
  refuse_normalized(description.metric);
  if (const Support support = MovingPointsPlan::supports(device, description); !support)
    throw Error(ErrorCode::unsupported, "method", support.reason);
  return std::make_unique<BvhOfRows>(device, description, row_stride);
}

std::unique_ptr<Plan> plan_range(Device& device, const RangeDescription& description, std::uint32_t row_stride) {
  refuse_normalized(description.metric);
  return std::make_unique<SegmentPlan<RangePlan, RangeDescription>>(device, description, row_stride);
}

std::unique_ptr<Plan> plan_selection(Device& device, const SelectionDescription& description) {
  return std::make_unique<SelectionOfValues>(device, description);
}

}  // namespace proxel::c_api
