#include <algorithm>

#include <fmt/format.h>

#include "index/plan_over.hpp"
#include "index/searcher.hpp"
#include "proxel/papers/bustos.hpp"

namespace proxel::index {
namespace {

// Keeps the rows as textures, and nowhere else.
class TexelSearcher : public Searcher, private RowTarget {
 public:
  explicit TexelSearcher(const SearcherContext& context)
      : device_(context.storage.device()),
        options_(checked(context.options.papers.bustos)),
        database_(device_, context.storage.rows(), context.storage.dimensions(),
                  context.options.papers.bustos.block_rows) {}

  RowTarget* own_rows() override { return this; }
  Support supports(Metric metric, std::uint64_t k) const override {
    if (normalizes(metric))
      return Support::no(Limit::metric, fmt::format("texel search keeps its rows as they are, and {} needs "
                                                    "normalised ones; use the scan",
                                                    to_string(metric)));
    return texel_supports(k, database_.rows());
  }
  Support supports_narrowing(const SearchDescription& description) const override {
    return texel_supports_narrowing(description);
  }
  std::unique_ptr<Plan> plan(const SearchDescription& description) override {
    return std::make_unique<PlanOver<TexelPlan, const TexelDatabase&>>(
        description, database_, TexelPlan::make(device_, description, database_, options_));
  }

 private:
  static BustosOptions checked(const BustosOptions& options) {
    TexelPlan::check(options);
    return options;
  }

  std::uint64_t pack_end(std::uint64_t first) const override {
    const std::uint64_t per_block = database_.rows_per_block();
    return std::min(database_.rows(), (first / per_block + 1) * per_block);
  }
  void record_pack(Recording& recording, const BufferView& source, std::uint64_t first,
                   std::uint32_t count) const override {
    database_.record_pack(recording, source, first, count);
  }

  Device& device_;
  BustosOptions options_;
  TexelDatabase database_;
};

}  // namespace

std::unique_ptr<Searcher> make_texel_searcher(const SearcherContext& context) {
  return std::make_unique<TexelSearcher>(context);
}

}  // namespace proxel::index
