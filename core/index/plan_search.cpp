#include "index/plan_search.hpp"

#include "search/bindings.hpp"

namespace proxel::index {
namespace {

// Normalises the queries, then searches with them.
class NormalizingSearch : public PlannedSearch {
 public:
  NormalizingSearch(const Device& device, std::unique_ptr<PlannedSearch> search,
                    const SearchDescription& description)
      : PlannedSearch(description), device_(device), search_(std::move(search)),
        own_bytes_(search::align_scratch(std::uint64_t{description.queries} *
                                         description.dimensions * 4)) {}

  std::uint64_t scratch_bytes() const override { return own_bytes_ + search_->scratch_bytes(); }

  void record(Recording& recording, const SearchBuffers& buffers) const override {
    search::Bindings bindings(recording, device_);
    search::check(bindings, description(), buffers, scratch_bytes());
    SearchBuffers inner = buffers;
    inner.queries = buffers.scratch.part(0, own_bytes_);
    inner.scratch = buffers.scratch.part(own_bytes_, search_->scratch_bytes());
    const auto rows = [&](const BufferView& view) {
      return row_major_rows(view.address(), description().queries, description().dimensions);
    };
    record_normalize(recording, description().metric, rows(buffers.queries), rows(inner.queries),
                     description().dimensions);
    recording.barrier();
    search_->record(recording, inner);
  }

  std::vector<RungCount> rungs() const override { return search_->rungs(); }

 private:
  const Device& device_;
  std::unique_ptr<PlannedSearch> search_;
  std::uint64_t own_bytes_;
};

}  // namespace

std::unique_ptr<PlannedSearch> plan_search(const Device& device, Searcher& searcher,
                                           const SearchDescription& description) {
  auto search = searcher.plan(description);
  if (!normalizes(description.metric)) return search;
  return std::make_unique<NormalizingSearch>(device, std::move(search), description);
}

}  // namespace proxel::index
