#include "index/plan_over.hpp"
#include "index/searcher.hpp"
#include "proxel/papers/garcia.hpp"

namespace proxel::index {
namespace {

template <GarciaForm form>
class GarciaSearcher : public Searcher {
 public:
  explicit GarciaSearcher(const SearcherContext& context) : storage_(context.storage) {}

  Support supports(Metric metric, std::uint64_t k) const override {
    return garcia_supports(storage_.device(), form, metric, k, storage_.segments());
  }
  Support supports_raw() const override { return Support::yes(); }
  std::unique_ptr<Plan> plan(const SearchDescription& description) override {
    const auto segments = storage_.segments();
    return std::make_unique<PlanOverSegments<GarciaPlan>>(
        description, segments, GarciaPlan::make(storage_.device(), description, segments, form),
        form == GarciaForm::gemm && !description.raw ? "expansion" : nullptr);
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
