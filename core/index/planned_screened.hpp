#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/plan_over.hpp"
#include "proxel/screened.hpp"
#include "search/undecided.hpp"
#include "session/memory_pool.hpp"

namespace proxel::index {

/// How often a copy has decided: where clusters or outliers leave too many rows within their error they only cost time.
class Decisions {
 public:
  void add(std::uint64_t queries, std::uint64_t undecided) {
    asked_ += queries;
    undecided_ += undecided;
  }
  /// @param one_in  of so many queries one may be undecided
  bool suffice(std::uint64_t one_in = 8) const { return asked_ < 4 || undecided_ * one_in <= asked_; }

 private:
  std::uint64_t asked_ = 0, undecided_ = 0;
};

/// A screened search of rows that outlive it.
class PlannedScreened final : public PlanOver<ScreenedPlan, passes::Rows> {
 public:
  /// @param told       lends what the device tells of the search in
  /// @param certain    is told how many queries were decided, where thresholds are certain
  /// @param estimated  is told so where they are estimates
  /// @param half_sums  is told so instead where products are summed up in half precision; each may be null
  PlannedScreened(Device& device, const SearchDescription& description, const ScreenedRows* screened,
                  const passes::Rows& rows, std::shared_ptr<session::MemoryPool> told,
                  std::shared_ptr<Decisions> certain = nullptr, std::shared_ptr<Decisions> estimated = nullptr,
                  std::shared_ptr<Decisions> half_sums = nullptr)
      : PlanOver(description, rows, ScreenedPlan::make(device, description, screened, rows)),
        rough_(screened ? to_string(screened->operand()) : std::string_view()),
        decisions_(std::move(recorded().half_sums() && !recorded().leaves_undecided() ? half_sums
                             : recorded().estimates()                                 ? estimated
                                                                                      : certain)),
        told_(std::move(told)),
        undecided_(told_->lend(search::told_bytes + 4, MemoryKind::readback)) {
    std::memset(undecided_.mapped(), 0, search::told_bytes + 4);  // not what another plan was told
  }

  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    search::require_whole(part);
    recorded().record(recording, rows(), buffers, undecided_.view().part(0, search::told_bytes));
    if (Buffer* const counted = recorded().counted())
      recording.copy(BufferView(*counted, 0, 4), undecided_.view().part(search::told_bytes, 4));
  }
  std::vector<RungCount> rungs() const override {
    const auto* left = static_cast<const std::uint32_t*>(undecided_.mapped());
    const std::uint64_t planned = description().queries;
    const std::uint64_t queries = recorded().counted() ? std::min<std::uint64_t>(left[3], planned) : planned;
    const std::string rough(rough_);
    // Queries of which filters leave few rows are scanned as well, and say nothing about the copy.
    if (decisions_) decisions_->add(queries - left[2], left[recorded().rescues() ? 0 : 1]);
    if (recorded().leaves_undecided() && left[1] != 0) return {{rough, queries - left[1]}, {"undecided", left[1]}};
    if (recorded().leaves_undecided()) return {{rough, queries}};
    if (rough.empty()) return {{"canonical threshold", queries - left[1]}, {"canonical scan", left[1]}};
    if (!recorded().rescues()) return {{rough, queries - left[1]}, {"canonical scan", left[1]}};
    const std::uint32_t behind = left[0] + left[2], scanned = recorded().scanned(left[0], left[1]);
    return {{rough, queries - behind}, {"canonical threshold", behind - scanned}, {"canonical scan", scanned}};
  }

 private:
  std::string_view rough_;  // what scores are computed from; empty: rows as they are
  std::shared_ptr<Decisions> decisions_;
  std::shared_ptr<session::MemoryPool> told_;
  session::MemoryPool::Lent undecided_;
};

}  // namespace proxel::index
