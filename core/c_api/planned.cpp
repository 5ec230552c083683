#include "c_api/planned.hpp"

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/handles.hpp"
#include "search/check.hpp"

namespace proxel::c_api {
namespace {

// The bits are the same in both interfaces.
static_assert(PROXEL_USAGE_STORAGE == usage_storage && PROXEL_USAGE_DEVICE_ADDRESS == usage_device_address &&
              PROXEL_USAGE_TRANSFER_SOURCE == usage_transfer_source &&
              PROXEL_USAGE_TRANSFER_DESTINATION == usage_transfer_destination);

proxel_requirement requirement(const BufferRequirement& needed) {
  return {needed.bytes, needed.alignment, needed.usage};
}

proxel_requirement elements(std::uint64_t count) { return requirement(search::elements_requirement(count)); }

// What all kinds of searches take; theirs alone is added by who calls.
template <typename Needed>
proxel_requirements requirements_with(const BufferRequirement& queries, const Needed& needed) {
  proxel_requirements told{};
  told.queries = requirement(queries);
  told.scratch = requirement(needed.scratch);
  told.indices = requirement(needed.indices);
  told.distances = requirement(needed.distances);
  return told;
}

proxel_requirements requirements_from(const SearchRequirements& needed) {
  proxel_requirements told = requirements_with(needed.queries, needed);
  told.filter = requirement(needed.filter);
  told.after_distances = requirement(needed.after_distances);
  told.after_indices = requirement(needed.after_indices);
  told.count = requirement(needed.count);
  return told;
}

proxel_requirements requirements_from(const RangeRequirements& needed) {
  proxel_requirements told = requirements_with(needed.queries, needed);
  told.filter = requirement(needed.filter);
  told.offsets = requirement(needed.offsets);
  return told;
}

void require_whole(RangePart part) {
  if (part != RangePart::whole)
    throw Error(ErrorCode::unsupported, "plan", "is not one of rows within a radius, and has no halves");
}

class SearchPlan final : public Planned {
 public:
  SearchPlan(PlanOwner owner, std::unique_ptr<PlannedSearch> search)
      : owner_(std::move(owner)), search_(std::move(search)) {}

  proxel_requirements requirements() const override { return requirements_from(search_->requirements()); }
  void record(Recording& recording, const GivenBuffers& buffers, RangePart part) const override {
    require_whole(part);
    owner_.check();
    search_->record(recording, buffers.search());
  }
  std::vector<RungCount> rungs() const override { return search_->rungs(); }

 private:
  PlanOwner owner_;
  std::unique_ptr<PlannedSearch> search_;
};

// @tparam Plan     of rows or of an index
// @tparam Context  what it is recorded with beside the buffers
template <typename Plan, typename... Context>
void record_range(const Plan& plan, Recording& recording, RangePart part, const RangeBuffers& buffers,
                  const Context&... context) {
  if (part == RangePart::count) return plan.record_count(recording, context..., buffers);
  if (part == RangePart::fill) return plan.record_fill(recording, context..., buffers);
  plan.record(recording, context..., buffers);
}

class RangeSearchPlan final : public Planned {
 public:
  RangeSearchPlan(PlanOwner owner, std::unique_ptr<PlannedRangeSearch> search)
      : owner_(std::move(owner)), search_(std::move(search)) {}

  proxel_requirements requirements() const override { return requirements_from(search_->requirements()); }
  void record(Recording& recording, const GivenBuffers& buffers, RangePart part) const override {
    owner_.check();
    record_range(*search_, recording, part, buffers.range());
  }

 private:
  PlanOwner owner_;
  std::unique_ptr<PlannedRangeSearch> search_;
};

class PlanOfRows final : public Planned {
 public:
  explicit PlanOfRows(std::unique_ptr<RowsPlan> plan) : plan_(std::move(plan)) {}

  proxel_requirements requirements() const override {
    proxel_requirements told = requirements_from(plan_->requirements());
    told.rows = requirement(plan_->rows_requirement());
    return told;
  }
  void record(Recording& recording, const GivenBuffers& buffers, RangePart part) const override {
    require_whole(part);
    plan_->record(recording, buffers(&proxel_search_buffers::rows, "rows buffer"), buffers.search());
  }

 private:
  std::unique_ptr<RowsPlan> plan_;
};

class PlanOfRange final : public Planned {
 public:
  PlanOfRange(Device& device, const RangeDescription& description, std::uint32_t row_stride)
      : description_(description), row_stride_(row_stride), plan_(make(device)) {}

  proxel_requirements requirements() const override {
    proxel_requirements told = requirements_from(requirements_of(description_, plan_.scratch_bytes()));
    told.rows = elements((description_.rows - 1) * row_stride_ + description_.dimensions);
    return told;
  }
  void record(Recording& recording, const GivenBuffers& buffers, RangePart part) const override {
    const BufferView rows = buffers(&proxel_search_buffers::rows, "rows buffer");
    search::require_buffer("rows buffer", rows, requirements().rows.bytes, search::element_alignment);
    const RowsSegment segment = rows_at(rows.address());
    record_range(plan_, recording, part, buffers.range(), std::span<const RowsSegment>(&segment, 1));
  }

 private:
  RowsSegment rows_at(std::uint64_t address) const {
    return {row_major_rows(address, description_.rows, row_stride_), 0};
  }
  RangePlan make(Device& device) const {
    const RowsSegment anywhere = rows_at(0);
    return RangePlan::make(device, description_, {&anywhere, 1});
  }

  RangeDescription description_;
  std::uint32_t row_stride_;
  RangePlan plan_;
};

class PlanOfSelection final : public Planned {
 public:
  PlanOfSelection(Device& device, const SelectionDescription& description)
      : description_(description), plan_(SelectionPlan::make(device, description)) {}

  proxel_requirements requirements() const override {
    const std::uint64_t stride = limit_or(description_.row_stride, description_.columns);
    proxel_requirements told{};
    told.values = elements((description_.rows - 1) * stride + description_.columns);
    if (description_.has_payload) told.payload = told.values;
    told.scratch = requirement(search::scratch_requirement(plan_.scratch_bytes()));
    told.indices = told.distances = elements(description_.rows * description_.k);
    return told;
  }
  void record(Recording& recording, const GivenBuffers& buffers, RangePart part) const override {
    require_whole(part);
    const SearchBuffers search = buffers.search();
    plan_.record(recording, {buffers(&proxel_search_buffers::values, "values buffer"),
                             buffers(&proxel_search_buffers::payload, "payload buffer"), search.scratch,
                             search.indices, search.distances});
  }
  proxel_plan_info info() const override {
    return {.struct_size = 0, .method = to_string(plan_.method()).data(), .distance_stride = 0};  // of a literal
  }

 private:
  SelectionDescription description_;
  SelectionPlan plan_;
};

}  // namespace

BufferView GivenBuffers::operator()(proxel_buffer_view proxel_search_buffers::*member, const char* argument) const {
  return view_of(given_.*member, device_, argument);
}

SearchBuffers GivenBuffers::search() const {
  const GivenBuffers& view = *this;
  SearchBuffers buffers;
  buffers.queries = view(&proxel_search_buffers::queries, "queries buffer");
  buffers.scratch = view(&proxel_search_buffers::scratch, "scratch buffer");
  buffers.indices = view(&proxel_search_buffers::indices, "indices buffer");
  buffers.distances = view(&proxel_search_buffers::distances, "distances buffer");
  buffers.filter = view(&proxel_search_buffers::filter, "filter buffer");
  buffers.count = view(&proxel_search_buffers::count, "count buffer");
  buffers.after.distances = view(&proxel_search_buffers::after_distances, "after distances buffer");
  buffers.after.indices = view(&proxel_search_buffers::after_indices, "after indices buffer");
  if (given_.after_stride > UINT32_MAX)
    refuse("after stride", fmt::format("{} was given, 1 to {} is allowed", given_.after_stride, UINT32_MAX));
  buffers.after.stride = static_cast<std::uint32_t>(limit_or(given_.after_stride, 1));
  return buffers;
}

RangeBuffers GivenBuffers::range() const {
  const SearchBuffers search = this->search();
  return {search.queries, search.scratch, (*this)(&proxel_search_buffers::offsets, "offsets buffer"), search.indices,
          search.distances, search.filter};
}

void PlanOwner::check() const {
  if (changes_ != then_)
    refuse("plan", "was made before its index was changed by adding, removing or compacting; plan the search again");
}

std::unique_ptr<Planned> planned(PlanOwner owner, std::unique_ptr<PlannedSearch> search) {
  return std::make_unique<SearchPlan>(std::move(owner), std::move(search));
}
std::unique_ptr<Planned> planned(PlanOwner owner, std::unique_ptr<PlannedRangeSearch> search) {
  return std::make_unique<RangeSearchPlan>(std::move(owner), std::move(search));
}
std::unique_ptr<Planned> planned(PlanOwner owner, std::unique_ptr<PlannedStringSearch> search) {
  return std::make_unique<StringPlan>(std::move(owner), std::move(search));
}
std::unique_ptr<Planned> planned(PlanOwner owner, std::unique_ptr<PlannedSignatureSearch> search) {
  return std::make_unique<SignaturePlan>(std::move(owner), std::move(search));
}
std::unique_ptr<Planned> planned(std::unique_ptr<RowsPlan> plan) {
  return std::make_unique<PlanOfRows>(std::move(plan));
}
std::unique_ptr<Planned> planned_range(Device& device, const RangeDescription& description,
                                       std::uint32_t row_stride) {
  return std::make_unique<PlanOfRange>(device, description, row_stride);
}
std::unique_ptr<Planned> planned_selection(Device& device, const SelectionDescription& description) {
  return std::make_unique<PlanOfSelection>(device, description);
}

proxel_requirements StringPlan::requirements() const {
  const StringRequirements needed = search_->requirements();
  proxel_requirements told = requirements_with(needed.symbols, needed);
  told.query_offsets = requirement(needed.offsets);
  told.offsets = requirement(needed.matches);
  return told;
}

void StringPlan::record(Recording& recording, const GivenBuffers& buffers, RangePart part) const {
  require_whole(part);
  owner_.check();
  const SearchBuffers search = buffers.search();
  search_->record(recording, {search.queries, buffers(&proxel_search_buffers::query_offsets, "query offsets buffer"),
                              search.scratch, search.indices, search.distances,
                              buffers(&proxel_search_buffers::offsets, "offsets buffer")});
}

proxel_requirements SignaturePlan::requirements() const {
  const SignatureRequirements needed = search_->requirements();
  proxel_requirements told = requirements_with(needed.queries, needed);
  told.offsets = requirement(needed.offsets);
  return told;
}

void SignaturePlan::record(Recording& recording, const GivenBuffers& buffers, RangePart part) const {
  require_whole(part);
  owner_.check();
  const SearchBuffers search = buffers.search();
  search_->record(recording, {search.queries, search.scratch, search.indices, search.distances,
                              buffers(&proxel_search_buffers::offsets, "offsets buffer")});
}

proxel_plan_info SignaturePlan::info() const {
  return {.struct_size = 0,
          .method = to_string(search_->method()).data(),  // of a literal
          .distance_stride = search_->distance_stride()};
}

proxel_plan* new_plan(std::shared_ptr<Device> device, std::unique_ptr<Planned> plan) {
  return make_handle<proxel_plan>(device, device, std::move(plan));
}

}  // namespace proxel::c_api
