#include "index/decorated_plans.hpp"

#include <cstring>

#include "search/bindings.hpp"
#include "search/drop_self.hpp"
#include "search/rehearsal.hpp"
#include "session/run_once.hpp"

namespace proxel::index {
namespace {

// A plan that adds to another one.
class DecoratedPlan : public Plan {
 public:
  SearchRequirements requirements() const override { return plan_->requirements(); }
  bool has_halves() const override { return plan_->has_halves(); }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    plan_->record(recording, buffers, part);
  }
  PlanInfo info() const override { return plan_->info(); }
  std::vector<RungCount> rungs() const override { return plan_->rungs(); }

 protected:
  explicit DecoratedPlan(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}

  std::unique_ptr<Plan> plan_;
};

class AnsweringPlan final : public DecoratedPlan {
 public:
  AnsweringPlan(Method method, std::unique_ptr<Plan> plan) : DecoratedPlan(std::move(plan)), method_(method) {}

  PlanInfo info() const override { return {to_string(method_), 0}; }

 private:
  Method method_;
};

class NormalizingPlan final : public DecoratedPlan {
 public:
  NormalizingPlan(const Device& device, Metric metric, QueryShape queries, std::unique_ptr<Plan> plan)
      : DecoratedPlan(std::move(plan)),
        device_(device),
        metric_(metric),
        queries_(queries),
        own_bytes_(search::align_scratch(std::uint64_t{queries.count} * queries.dimensions * 4)) {}

  SearchRequirements requirements() const override {
    SearchRequirements needed = plan_->requirements();
    needed.scratch.bytes += own_bytes_;
    return needed;
  }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    search::Bindings bindings(recording, device_);
    search::check(bindings, requirements(), buffers, part);
    SearchBuffers inner = buffers;
    inner.queries = buffers.scratch.part(0, own_bytes_);
    inner.scratch = buffers.scratch.part(own_bytes_, buffers.scratch.bytes - own_bytes_);
    const auto rows = [&](const BufferView& view) {
      return row_major_rows(view.address(), queries_.count, queries_.dimensions);
    };
    record_normalize(recording, metric_, rows(buffers.queries), rows(inner.queries), queries_.dimensions);
    recording.barrier();
    plan_->record(recording, inner, part);
  }

 private:
  const Device& device_;
  Metric metric_;
  QueryShape queries_;
  std::uint64_t own_bytes_;
};

class LivePlan final : public DecoratedPlan {
 public:
  LivePlan(std::unique_ptr<Plan> plan, std::unique_ptr<Buffer> filter)
      : DecoratedPlan(std::move(plan)), filter_(std::move(filter)) {}

  SearchRequirements requirements() const override {
    SearchRequirements needed = plan_->requirements();
    needed.filter = {};
    return needed;
  }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    SearchBuffers filtered = buffers;
    filtered.filter = *filter_;
    plan_->record(recording, filtered, part);
  }

 private:
  std::unique_ptr<Buffer> filter_;
};

// The answer of k + 1 lies in the scratch memory, first the indices.
class SelflessPlan final : public DecoratedPlan {
 public:
  SelflessPlan(Device& device, const SearchDescription& wider, std::unique_ptr<Plan> plan)
      : DecoratedPlan(std::move(plan)),
        device_(device),
        answered_(wider),
        found_bytes_(search::align_scratch(wider.queries * wider.k * 4)) {
    --answered_.k;
    search::rehearse(device, [&](Recording& rehearsal) { search::record_drop_self(rehearsal, answered_, {}, {}); });
  }

  SearchRequirements requirements() const override {
    SearchRequirements needed = plan_->requirements();
    needed.indices = needed.distances = search::elements_requirement(answered_.queries * answered_.k);
    needed.self = search::elements_requirement(answered_.queries);
    needed.scratch.bytes += 2 * found_bytes_;
    return needed;
  }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    search::Bindings bindings(recording, device_);
    search::check(bindings, requirements(), buffers, part);
    SearchBuffers inner = buffers;
    inner.indices = buffers.scratch.part(0, found_bytes_);
    inner.distances = buffers.scratch.part(found_bytes_, found_bytes_);
    inner.scratch = buffers.scratch.part(2 * found_bytes_, buffers.scratch.bytes - 2 * found_bytes_);
    plan_->record(recording, inner, part);
    recording.barrier();
    search::record_drop_self(recording, answered_, {inner.indices, inner.distances, buffers.self}, buffers);
  }

 private:
  const Device& device_;
  SearchDescription answered_;
  std::uint64_t found_bytes_;  // of the indices, and of the distances
};

class RowsWithin final : public Plan {
 public:
  RowsWithin(Device& device, const RangeDescription& description, std::span<const RowsSegment> segments)
      : description_(description), segments_(segments), plan_(RangePlan::make(device, description, segments)) {}

  SearchRequirements requirements() const override { return requirements_of(description_, plan_.scratch_bytes()); }
  bool has_halves() const override { return true; }
  PlanInfo info() const override { return {to_string(Method::scan), 0}; }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    plan_.record(recording, segments_, buffers, part);
  }

 private:
  RangeDescription description_;
  std::span<const RowsSegment> segments_;
  RangePlan plan_;
};

}  // namespace

std::unique_ptr<Plan> normalizing(const Device& device, Metric metric, QueryShape queries, std::unique_ptr<Plan> plan) {
  if (!normalizes(metric)) return plan;
  return std::make_unique<NormalizingPlan>(device, metric, queries, std::move(plan));
}

std::unique_ptr<Plan> answering(Method method, std::unique_ptr<Plan> plan) {
  return std::make_unique<AnsweringPlan>(method, std::move(plan));
}

std::unique_ptr<Plan> leaving_self_out(Device& device, const SearchDescription& wider, std::unique_ptr<Plan> plan) {
  return std::make_unique<SelflessPlan>(device, wider, std::move(plan));
}

std::unique_ptr<Plan> finding_live_rows(Device& device, const LiveRows& live, std::unique_ptr<Plan> plan) {
  if (live.removed() == 0) return plan;
  const Matrix<std::uint32_t> words = live.filter({});
  auto filter = device.create_buffer(words.columns() * 4, MemoryKind::device);
  const auto staging = device.create_buffer(filter->bytes(), MemoryKind::upload);
  std::memcpy(staging->mapped(), words.data(), filter->bytes());
  session::run_once(device, [&](Recording& recording) { recording.copy(*staging, *filter); });
  return std::make_unique<LivePlan>(std::move(plan), std::move(filter));
}

std::unique_ptr<Plan> plan_range(Storage& storage, const RangeDescription& description) {
  return normalizing(storage.device(), description.metric, {description.queries, description.dimensions},
                     std::make_unique<RowsWithin>(storage.device(), description, storage.segments(description.metric)));
}

}  // namespace proxel::index
