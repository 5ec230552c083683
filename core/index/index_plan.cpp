// Searches of an index that the caller records.
#include <cstring>

#include "index/implementation.hpp"
#include "index/plan_search.hpp"
#include "index/run_once.hpp"
#include "proxel/error.hpp"
#include "search/check.hpp"

namespace proxel {

namespace {

// A planned search that finds no removed rows.
class LiveSearch : public PlannedSearch {
 public:
  LiveSearch(std::unique_ptr<PlannedSearch> search, Device& device,
             const Matrix<std::uint32_t>& words)
      : PlannedSearch(without_filter(search->description())), search_(std::move(search)),
        filter_(device.create_buffer(words.columns() * 4, MemoryKind::device)) {
    const auto staging = device.create_buffer(filter_->bytes(), MemoryKind::upload);
    std::memcpy(staging->mapped(), words.data(), filter_->bytes());
    index::run_once(device, [&](Recording& recording) { recording.copy(*staging, *filter_); });
  }

  std::uint64_t scratch_bytes() const override { return search_->scratch_bytes(); }
  void record(Recording& recording, const SearchBuffers& buffers) const override {
    SearchBuffers with_filter = buffers;
    with_filter.filter = *filter_;
    search_->record(recording, with_filter);
  }
  std::vector<RungCount> rungs() const override { return search_->rungs(); }

 private:
  // The caller gives none.
  static SearchDescription without_filter(SearchDescription description) {
    description.filter = FilterKind::none;
    return description;
  }

  std::unique_ptr<PlannedSearch> search_;
  std::unique_ptr<Buffer> filter_;
};

}  // namespace

std::unique_ptr<PlannedSearch> Index::plan(std::uint32_t queries, std::uint64_t k, Metric metric,
                                           const PlanOptions& options) {
  Implementation& self = *implementation_;
  SearchDescription wanted = self.describe(queries, k, metric);
  if (options.filter != FilterKind::none && wanted.filter != FilterKind::none)
    throw Error(ErrorCode::unsupported, "filter",
                "rows have been removed, for which the plan brings its own filter; compact() the index "
                "first");
  if (options.filter != FilterKind::none) wanted.filter = options.filter;
  wanted.continued = options.continued;
  wanted.counted = options.counted;
  const Method answering = self.checked_method(wanted, options.filter);
  search::check(wanted);
  if (self.blocked)
    throw Error(ErrorCode::unsupported, "plan",
                "a search in blocks takes the host's part; use search()");
  std::unique_ptr<PlannedSearch> search;
  self.use_searcher(answering, wanted, [&](index::Searcher& searcher) {
    search = index::plan_search(searcher, wanted);
  });
  if (self.live.removed() == 0) return search;
  return std::make_unique<LiveSearch>(std::move(search), self.storage.device(),
                                      self.live.filter({}));
}

}  // namespace proxel
