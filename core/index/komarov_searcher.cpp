#include "index/searcher.hpp"
#include "proxel/komarov.hpp"

namespace proxel::index {
namespace {

class PlannedKomarov : public PlannedSearch {
 public:
  PlannedKomarov(Storage& storage, const SearchDescription& description, SelectionMethod selection)
      : PlannedSearch(description), segments_(storage.segments(description.metric)),
        queries_(description.queries),
        certified_(!description.raw),
        plan_(KomarovPlan::make(storage.device(), description, segments_, selection)) {}

  std::uint64_t scratch_bytes() const override { return plan_.scratch_bytes(); }
  void record(Recording& recording, const SearchBuffers& buffers) const override {
    plan_.record(recording, segments_, buffers);
  }
  std::vector<RungCount> rungs() const override {
    if (!certified_) return {};
    const std::uint64_t scanned = plan_.undecided();
    return {{"product", queries_ - scanned}, {"canonical", scanned}};
  }

 private:
  std::span<const RowsSegment> segments_;
  std::uint64_t queries_;
  bool certified_;
  KomarovPlan plan_;
};

class KomarovSearcher : public Searcher {
 public:
  explicit KomarovSearcher(const SearcherContext& context)
      : storage_(context.storage), scratch_limit_(context.options.scratch_limit),
        selection_(context.options.row_selection) {}

  Support supports(Metric metric, std::uint64_t k) const override {
    SearchDescription description = describe_one(storage_, metric, k);
    description.scratch_limit = scratch_limit_;
    return komarov_supports(storage_.device(), description, storage_.segments(), selection_);
  }
  Support supports_raw() const override { return Support::yes(); }
  std::unique_ptr<PlannedSearch> plan(const SearchDescription& description) override {
    return std::make_unique<PlannedKomarov>(storage_, description, selection_);
  }

 private:
  Storage& storage_;
  std::uint64_t scratch_limit_;
  SelectionMethod selection_;
};

}  // namespace

std::unique_ptr<Searcher> make_komarov_searcher(const SearcherContext& context) {
  return std::make_unique<KomarovSearcher>(context);
}

}  // namespace proxel::index
