#include "index/plan_over.hpp"
#include "index/searcher.hpp"
#include "proxel/papers/komarov.hpp"

namespace proxel::index {
namespace {

class KomarovSearcher : public Searcher {
 public:
  explicit KomarovSearcher(const SearcherContext& context)
      : storage_(context.storage),
        scratch_limit_(context.options.scratch_limit),
        selection_(context.options.papers.komarov.selection) {}

  Support supports(Metric metric, std::uint64_t k) const override { return serves(describe_one(storage_, metric, k)); }
  Support serves(const SearchDescription& wanted) const override {
    SearchDescription description = describe_one(storage_, wanted.metric, wanted.k);
    description.raw = wanted.raw;
    description.scratch_limit = scratch_limit_;
    return komarov_supports(storage_.device(), description, storage_.segments(), selection_);
  }
  Support supports_raw() const override { return Support::yes(); }
  std::unique_ptr<Plan> plan(const SearchDescription& description) override {
    const auto segments = storage_.segments(description.metric);
    return std::make_unique<PlanOverSegments<KomarovPlan>>(
        description, segments, KomarovPlan::make(storage_.device(), description, segments, selection_),
        description.raw ? nullptr : "product");
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
