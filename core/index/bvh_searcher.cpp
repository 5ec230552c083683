#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "index/choice_limits.hpp"
#include "index/expected_times.hpp"
#include "index/plan_over.hpp"
#include "index/searcher.hpp"
#include "proxel/bvh.hpp"
#include "session/run_once.hpp"

namespace proxel::index {
namespace {

class BvhSearcher : public Searcher {
 public:
  explicit BvhSearcher(const SearcherContext& context) : storage_(context.storage), spare_(context.spare) {
    // Where nothing else may answer, an index that never could is not built.
    if (context.options.method == Method::bvh && storage_.dimensions() > BoxHierarchy::most_dimensions)
      throw Error(ErrorCode::unsupported, "method",
                  BoxHierarchy::supports(storage_.device(), storage_.rows(), storage_.dimensions()).reason);
  }

  Support supports(Metric metric, std::uint64_t k) const override { return serves(describe_one(storage_, metric, k)); }
  Support serves(const SearchDescription& description) const override {
    if (storage_.segments().size() > 1)
      return Support::no(
          "boxes need the rows in one buffer, and the device's largest is too small "
          "for them");
    if (const Support support = BvhPlan::supports(storage_.device(), describe_one(description)); !support)
      return support;
    return BoxHierarchy::supports(storage_.device(), storage_.rows(), storage_.dimensions());
  }
  Support supports_narrowing(const SearchDescription&) const override { return Support::yes(); }

  bool worthwhile(const SearchDescription& description) const override {
    const Capabilities capabilities = storage_.device().capabilities();
    // Building is no search, whose limit it may pass.
    if (BoxHierarchy::scratch_bytes(description.rows) > capabilities.memory_bytes / 4) return false;
    // A filter may leave so few rows that no box is too far for the k nearest of them.
    if (description.filter != FilterKind::none) return false;
    const Gain gain = gain_of(description);
    return gain.spared > 0 && (current_ || spared_ + gain.spared >= gain.building);
  }

  void count(const SearchDescription& description, std::uint64_t searches) override {
    if (description.filter != FilterKind::none || !serves(description)) return;
    spared_ += std::max(0.0, gain_of(description).spared) * static_cast<double>(searches);
  }

  void rows_changed(std::uint64_t) override {
    current_ = false;
    spared_ = 0;
  }
  bool follow(Metric) override { return !hierarchy_; }

  std::unique_ptr<Plan> plan(const SearchDescription& description) override {
    return std::make_unique<PlanOver<BvhPlan, passes::Rows>>(
        description, rows(), BvhPlan::make(storage_.device(), description, hierarchy(), rows()));
  }

 private:
  const passes::Rows& rows() const { return storage_.segments().front().rows; }

  // Milliseconds: what boxes that are there spare a search, and what has to be spared before they are built.
  struct Gain {
    double spared, building;
  };
  Gain gain_of(const SearchDescription& description) const {
    if (storage_.device().capabilities().runs_on_host) {
      const HostTimes expected = expected_times_on_host(description, storage_.device().info().backend);
      return {expected.scan - expected.boxes, expected.building};
    }
    const BackendKind backend = storage_.device().info().backend;
    const double others =
        std::min(expected_scan_milliseconds(description, backend),
                 expected_fused_milliseconds(description, backend, on_matrix_units(storage_, description.metric)));
    return {others - expected_bvh_milliseconds(description, backend), expected_building(description, backend)};
  }
  static double expected_building(const SearchDescription& description, BackendKind backend) {
    if (description.queries >= worthwhile_bvh_queries) return 0;
    if (description.rows < worthwhile_rows) return std::numeric_limits<double>::infinity();
    SearchDescription scan = description;
    scan.queries = 1;
    return worthwhile_bvh_queries * expected_scan_milliseconds(scan, backend);
  }

  const BoxHierarchy& hierarchy() {
    if (current_) return *hierarchy_;
    Device& device = storage_.device();
    hierarchy_.reset();  // its memory may be what the next needs
    spare_();
    BoxHierarchy made(device, storage_.rows(), storage_.dimensions());
    const auto scratch = device.create_buffer(made.scratch_bytes(), MemoryKind::device);
    session::run_once(device, [&](Recording& recording) { made.record(recording, rows(), *scratch); });
    hierarchy_.emplace(std::move(made));
    current_ = true;
    return *hierarchy_;
  }

  Storage& storage_;
  std::function<void()> spare_;
  std::optional<BoxHierarchy> hierarchy_;
  bool current_ = false;
  // What boxes would have spared the searches since the rows changed, milliseconds.
  double spared_ = 0;
};

}  // namespace

std::unique_ptr<Searcher> make_bvh_searcher(const SearcherContext& context) {
  return std::make_unique<BvhSearcher>(context);
}

}  // namespace proxel::index
