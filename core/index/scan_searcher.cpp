#include "index/plan_over.hpp"
#include "index/searcher.hpp"

namespace proxel::index {
namespace {

class ScanSearcher : public Searcher {
 public:
  explicit ScanSearcher(const SearcherContext& context) : storage_(context.storage) {}

  Support supports(Metric, std::uint64_t) const override { return Support::yes(); }
  Support supports_narrowing(const SearchDescription&) const override { return Support::yes(); }
  bool follow(Metric) override { return true; }
  std::unique_ptr<Plan> plan(const SearchDescription& description) override {
    const auto segments = storage_.segments(description.metric);
    return std::make_unique<PlanOverSegments<ScanPlan>>(description, segments,
                                                        ScanPlan::make(storage_.device(), description, segments));
  }

 private:
  Storage& storage_;
};

}  // namespace

std::unique_ptr<Searcher> make_scan_searcher(const SearcherContext& context) {
  return std::make_unique<ScanSearcher>(context);
}

}  // namespace proxel::index
