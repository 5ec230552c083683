#include "index/plan_over.hpp"
#include "index/searcher.hpp"
#include "proxel/papers/garcia.hpp"

namespace proxel::index {
namespace {

template <GarciaForm form>
class GarciaSearcher : public Searcher {
 public:
  explicit GarciaSearcher(const SearcherContext& context)
      : storage_(context.storage), options_(context.options.papers.garcia) {}

  Support supports(Metric metric, std::uint64_t k) const override {
    return garcia_supports(storage_.device(), form, metric, k, storage_.segments());
  }
  Support serves(const SearchDescription& description) const override {
    if (options_.distances_only && form == GarciaForm::gemm && !description.raw)
      return Support::no(Limit::method,
                         "garcia-gemm returns distances alone where they are raw, because a certified "
                         "search looks its candidates up; garcia-direct does always");
    return supports(description.metric, description.k);
  }
  Support supports_raw() const override { return Support::yes(); }
  std::unique_ptr<Plan> plan(const SearchDescription& description) override {
    const auto segments = storage_.segments();
    return std::make_unique<PlanOverSegments<GarciaPlan>>(
        description, segments, GarciaPlan::make(storage_.device(), description, segments, form, options_),
        form == GarciaForm::gemm && !description.raw ? "expansion" : nullptr);
  }

 private:
  const Storage& storage_;
  GarciaOptions options_;
};

}  // namespace

std::unique_ptr<Searcher> make_garcia_direct_searcher(const SearcherContext& context) {
  return std::make_unique<GarciaSearcher<GarciaForm::direct>>(context);
}

std::unique_ptr<Searcher> make_garcia_gemm_searcher(const SearcherContext& context) {
  return std::make_unique<GarciaSearcher<GarciaForm::gemm>>(context);
}

}  // namespace proxel::index
