#pragma once

#include <utility>

#include "proxel/search.hpp"
#include "search/bindings.hpp"

namespace proxel::index {

/// A method's plan with the rows that it is recorded over, which outlive it.
/// @tparam Recorded  ScanPlan and its like
/// @tparam Rows      that Recorded::record() takes, or a reference to it
template <typename Recorded, typename Rows>
class PlanOver : public Plan {
 public:
  /// @param rung  what proves answers where Recorded::undecided() counts those that it does not; else null
  PlanOver(const SearchDescription& description, Rows rows, Recorded plan, const char* rung = nullptr)
      : description_(description), rows_(rows), plan_(std::move(plan)), rung_(rung) {}

  SearchRequirements requirements() const override { return requirements_of(description_, plan_.scratch_bytes()); }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    search::require_whole(part);
    plan_.record(recording, rows_, buffers);
  }
  std::vector<RungCount> rungs() const override {
    if constexpr (requires { plan_.undecided(); }) {
      if (rung_) {
        const std::uint64_t scanned = plan_.undecided();
        return {{rung_, description_.queries - scanned}, {"canonical", scanned}};
      }
    }
    return {};
  }

 protected:
  const SearchDescription& description() const { return description_; }
  const Rows& rows() const { return rows_; }
  const Recorded& recorded() const { return plan_; }

 private:
  SearchDescription description_;
  Rows rows_;
  Recorded plan_;
  const char* rung_;
};

/// The plans of rows in segments.
template <typename Recorded>
using PlanOverSegments = PlanOver<Recorded, std::span<const RowsSegment>>;

}  // namespace proxel::index
