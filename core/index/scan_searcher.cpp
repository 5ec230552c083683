#include "index/searcher.hpp"

namespace proxel::index {
namespace {

class PlannedScan : public PlannedSearch {
 public:
  PlannedScan(Storage& storage, const SearchDescription& description)
      : PlannedSearch(description), segments_(storage.segments(description.metric)),
        plan_(ScanPlan::make(storage.device(), description, segments_)) {}

  std::uint64_t scratch_bytes() const override { return plan_.scratch_bytes(); }
  void record(Recording& recording, const SearchBuffers& buffers) const override {
    plan_.record(recording, segments_, buffers);
  }

 private:
  std::span<const RowsSegment> segments_;
  ScanPlan plan_;
};

class ScanSearcher : public Searcher {
 public:
  explicit ScanSearcher(const SearcherContext& context) : storage_(context.storage) {}

  Support supports(Metric, std::uint64_t) const override { return Support::yes(); }
  Support supports_narrowing(const SearchDescription&) const override { return Support::yes(); }
  std::unique_ptr<PlannedSearch> plan(const SearchDescription& description) override {
    return std::make_unique<PlannedScan>(storage_, description);
  }

 private:
  Storage& storage_;
};

}  // namespace

std::unique_ptr<Searcher> make_scan_searcher(const SearcherContext& context) {
  return std::make_unique<ScanSearcher>(context);
}

}  // namespace proxel::index
