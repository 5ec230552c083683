#include "index/searcher.hpp"
#include "proxel/garcia.hpp"

namespace proxel::index {
namespace {

class PlannedGarcia : public PlannedSearch {
 public:
  PlannedGarcia(const Storage& storage, const SearchDescription& description, GarciaForm form)
      : PlannedSearch(description), storage_(storage), queries_(description.queries),
        certified_(form == GarciaForm::gemm && !description.raw),
        plan_(GarciaPlan::make(storage.device(), description, storage.segments(), form)) {}

  std::uint64_t scratch_bytes() const override { return plan_.scratch_bytes(); }
  void record(Recording& recording, const SearchBuffers& buffers) const override {
    plan_.record(recording, storage_.segments(), buffers);
  }
  std::vector<RungCount> rungs() const override {
    if (!certified_) return {};
    const std::uint64_t scanned = plan_.undecided();
    return {{"expansion", queries_ - scanned}, {"canonical", scanned}};
  }

 private:
  const Storage& storage_;
  std::uint64_t queries_;
  bool certified_;
  GarciaPlan plan_;
};

template <GarciaForm form>
class GarciaSearcher : public Searcher {
 public:
  explicit GarciaSearcher(const SearcherContext& context) : storage_(context.storage) {}

  Support supports(Metric metric, std::uint64_t k) const override {
    return garcia_supports(storage_.device(), form, metric, k, storage_.segments());
  }
  Support supports_raw() const override { return Support::yes(); }
  std::unique_ptr<PlannedSearch> plan(const SearchDescription& description) override {
    return std::make_unique<PlannedGarcia>(storage_, description, form);
  }

 private:
  const Storage& storage_;
};

}  // namespace

std::unique_ptr<Searcher> make_garcia_direct_searcher(const SearcherContext& context) {
  return std::make_unique<GarciaSearcher<GarciaForm::direct>>(context);
}

std::unique_ptr<Searcher> make_garcia_gemm_searcher(const SearcherContext& context) {
  return std::make_unique<GarciaSearcher<GarciaForm::gemm>>(context);
}

}  // namespace proxel::index
