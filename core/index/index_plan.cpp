// Searches of an index that the caller records.
#include <cstring>

#include "index/implementation.hpp"
#include "index/plan_range.hpp"
#include "index/plan_search.hpp"
#include "index/run_once.hpp"
#include "proxel/error.hpp"
#include "search/check.hpp"

namespace proxel {

namespace {

// Of a search as its caller sees it, who gives no filter.
template <typename Description>
Description without_filter(Description description) {
  description.filter = FilterKind::none;
  return description;
}

// A filter of the rows that have not been removed.
std::unique_ptr<Buffer> uploaded(Device& device, const Matrix<std::uint32_t>& words) {
  auto filter = device.create_buffer(words.columns() * 4, MemoryKind::device);
  const auto staging = device.create_buffer(filter->bytes(), MemoryKind::upload);
  std::memcpy(staging->mapped(), words.data(), filter->bytes());
  index::run_once(device, [&](Recording& recording) { recording.copy(*staging, *filter); });
  return filter;
}

// @param buffers  of a search or a range search
template <typename Buffers>
Buffers with_filter(Buffers buffers, Buffer& filter) {
  buffers.filter = filter;
  return buffers;
}

// A planned search that finds no removed rows.
class LiveSearch final : public PlannedSearch {
 public:
  LiveSearch(std::unique_ptr<PlannedSearch> search, std::unique_ptr<Buffer> filter)
      : PlannedSearch(without_filter(search->description())), search_(std::move(search)), filter_(std::move(filter)) {}

  std::uint64_t scratch_bytes() const override { return search_->scratch_bytes(); }
  void record(Recording& recording, const SearchBuffers& buffers) const override {
    search_->record(recording, with_filter(buffers, *filter_));
  }
  std::vector<RungCount> rungs() const override { return search_->rungs(); }

 private:
  std::unique_ptr<PlannedSearch> search_;
  std::unique_ptr<Buffer> filter_;
};

// The same within a radius.
class LiveRangeSearch final : public PlannedRangeSearch {
 public:
  LiveRangeSearch(std::unique_ptr<PlannedRangeSearch> search, std::unique_ptr<Buffer> filter)
      : PlannedRangeSearch(without_filter(search->description())), search_(std::move(search)),
        filter_(std::move(filter)) {}

  std::uint64_t scratch_bytes() const override { return search_->scratch_bytes(); }
  void record(Recording& recording, const RangeBuffers& buffers) const override {
    search_->record(recording, with_filter(buffers, *filter_));
  }
  void record_count(Recording& recording, const RangeBuffers& buffers) const override {
    search_->record_count(recording, with_filter(buffers, *filter_));
  }
  void record_fill(Recording& recording, const RangeBuffers& buffers) const override {
    search_->record_fill(recording, with_filter(buffers, *filter_));
  }

 private:
  std::unique_ptr<PlannedRangeSearch> search_;
  std::unique_ptr<Buffer> filter_;
};

// The kind that is searched with: removed rows have one, and the caller may not then.
FilterKind filter_of(const PlanOptions& options, FilterKind of_rows) {
  if (options.filter != FilterKind::none && of_rows != FilterKind::none)
    throw Error(ErrorCode::unsupported, "filter",
                "rows have been removed, for which the plan brings its own filter; compact() the index "
                "first");
  return options.filter != FilterKind::none ? options.filter : of_rows;
}

}  // namespace

std::unique_ptr<PlannedSearch> Index::plan(std::uint32_t queries, std::uint64_t k, Metric metric,
                                           const PlanOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  SearchDescription wanted = self.describe(queries, k, metric);
  wanted.filter = filter_of(options, wanted.filter);
  wanted.continued = options.continued;
  wanted.counted = options.counted;
  const Method answering = self.checked_method(wanted, options.filter);
  search::check(wanted);
  if (self.blocked)
    throw Error(ErrorCode::unsupported, "plan",
                "a search in blocks takes the host's part; use search()");
  std::unique_ptr<PlannedSearch> search;
  self.use_searcher(answering, wanted, [&](index::Searcher& searcher) {
    search = index::plan_search(self.storage.device(), searcher, wanted);
  });
  if (self.live.removed() == 0) return search;
  return std::make_unique<LiveSearch>(std::move(search), uploaded(self.storage.device(), self.live.filter({})));
}

std::unique_ptr<PlannedRangeSearch> Index::plan_range(std::uint32_t queries, float radius, Metric metric,
                                                      const PlanOptions& options) {
  const InUse::Scope in_use(implementation_->in_use, "index");
  Implementation& self = *implementation_;
  if (options.continued) throw Error(ErrorCode::unsupported, "continued", "a range search has no pages");
  if (options.counted)
    throw Error(ErrorCode::unsupported, "counted",
                "a range search needs the number of queries when it is recorded; queries of NaN find nothing");
  RangeDescription wanted = self.describe_range(radius, metric);
  wanted.queries = queries;
  wanted.filter = filter_of(options, self.live.removed() == 0 ? FilterKind::none : FilterKind::shared);
  search::check(wanted);
  std::unique_ptr<PlannedRangeSearch> search = index::plan_range(self.storage, wanted);
  if (self.live.removed() == 0) return search;
  return std::make_unique<LiveRangeSearch>(std::move(search),
                                           uploaded(self.storage.device(), self.live.filter({})));
}

}  // namespace proxel
