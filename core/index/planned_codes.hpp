#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "index/plan_over.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/screened.hpp"

namespace proxel::index {

/// What codes leave of all rows for some queries, in host memory.
class CollectedRows {
 public:
  /// What of it lies where, in bytes: the bounds of the queries first, each of 32 bytes.
  struct Layout {
    std::uint64_t counts = 0, found = 0;
    std::uint32_t capacity = 0;
  };

  CollectedRows() = default;
  /// Copies what was collected, and nothing of what is left of lists. @param from  memory of that layout
  CollectedRows(const SearchDescription& description, const Layout& layout, const std::byte* from);

  /// Queries that it is of.
  std::uint64_t queries() const { return description_.queries; }
  /// Answers one of them: its k nearest. Any threads may do so, of different queries.
  /// @param number      of the query among those
  /// @param query       binary32 [dimensions]
  /// @param rows        all of them, at host addresses
  /// @param row_bounds  those of the codes, in host memory
  /// @param indices     out: [k], as are the distances
  /// Returns whether it is decided; what is not is left as it was.
  bool answer(std::uint64_t number, const float* query, const passes::Rows& rows, const float* row_bounds,
              std::uint32_t* indices, float* distances) const;

 private:
  SearchDescription description_;
  Layout layout_;
  std::unique_ptr<std::byte[]> bytes_;
};

/// A search by 8-bit codes alone: the device collects the rows that may be among the nearest, and the host, where the rows are,
/// evaluates them.
class PlannedCodes final : public PlanOver<ScreenedPlan, passes::Rows> {
 public:
  /// @param description  with copy_alone
  /// @param codes        of all rows
  PlannedCodes(Device& device, const SearchDescription& description, const ScreenedRows& codes);

  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override;

  /// What the latest search collected.
  CollectedRows collected() const {
    return {description(), layout_, static_cast<const std::byte*>(collected_->mapped())};
  }

 private:
  ScreenedPlan::Collected at_;
  CollectedRows::Layout layout_;
  std::unique_ptr<Buffer> collected_;
};

}  // namespace proxel::index
