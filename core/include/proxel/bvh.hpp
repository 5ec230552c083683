#pragma once

// Exact search in few dimensions through a bounding volume hierarchy: most rows
// are never looked at, because the box that they share is too far away.

#include <cstdint>
#include <memory>

#include "proxel/export.h"
#include "proxel/passes/bvh_leaves.h"
#include "proxel/search.hpp"
#include "proxel/selection.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// A bounding volume hierarchy over the rows of a database: leaves of 32 rows that
/// are neighbours on a Hilbert curve (over the ranks of their coordinates, so
/// that no outlier spoils it), nodes of 32 children. Serves every metric that grows
/// with |query - row| of each dimension. Takes about 4 bytes per value and 4 per
/// row, and a quarter of a byte per value for the boxes.
///
/// A handle: copies of it, and plans made with it, share one hierarchy, which lives as long as the last of them.
class BoxHierarchy {
 public:
  /// An empty one, of which every use throws Error(invalid_argument).
  BoxHierarchy() = default;

  static constexpr std::uint32_t most_dimensions = passes::bvh_most_dimensions;

  /// Whether the device can make and use one, and why not.
  static Support supports(Device& device, std::uint64_t rows, std::uint32_t dimensions);

  /// Allocates; the contents are undefined until record() has been executed.
  /// Throws Error(unsupported | out_of_memory).
  BoxHierarchy(Device& device, std::uint64_t rows, std::uint32_t dimensions);

  /// The memory of a hierarchy, in which it is the same on every backend: made by
  /// one device it may be searched by another that reaches the memory, too (proxel/interop.hpp).
  struct Memory {
    BufferView order, coordinates, boxes;  ///< each 256-byte aligned
  };
  struct Bytes {
    std::uint64_t order = 0, coordinates = 0, boxes = 0;
  };
  static Bytes bytes(std::uint64_t rows, std::uint32_t dimensions);
  /// Over memory of the caller's, which outlives it; the contents are what they are.
  /// Throws Error(invalid_argument | unsupported).
  BoxHierarchy(Device& device, std::uint64_t rows, std::uint32_t dimensions, const Memory& memory);

  /// Scratch memory that record() needs, bytes.
  std::uint64_t scratch_bytes() const;
  /// At most that for so many rows.
  static constexpr std::uint64_t scratch_bytes(std::uint64_t rows) { return rows * 40 + (1u << 20); }

  /// Records the building: a sort per dimension and one of the codes.
  /// @param rows     the database in one piece, in any layout
  /// @param scratch  clobbered: at least scratch_bytes(), 256-byte aligned
  /// Throws Error(invalid_argument) before it records anything, as the plans of proxel/search.hpp do.
  void record(Recording& recording, const passes::Rows& rows, const BufferView& scratch) const;

  bool empty() const { return state_ == nullptr; }
  std::uint64_t rows() const;
  std::uint32_t dimensions() const;
  /// What is in them is defined by bvh_search.h.
  const BufferView& order() const;
  const BufferView& coordinates() const;
  const BufferView& boxes() const;
  /// The device that it was made for.
  const Device& device() const;

 private:
  struct PROXEL_HIDDEN State;
  const State& state() const;

  std::shared_ptr<const State> state_;
};

/// k nearest rows of each query through a BoxHierarchy, in one pass. Filtered and
/// continued as the scan is.
class BvhPlan {
 public:
  /// Neighbours that GPUs find, and the `cpu` device.
  static constexpr std::uint64_t most_k = 1024, most_k_of_cpu = 1u << 20;

  /// Whether a plan could serve this, given a hierarchy, and why not.
  static Support supports(const Device& device, const SearchDescription& description);

  /// @param hierarchy  of the same rows; the plan keeps a handle of it
  /// @param rows       as they will be given to record(); the address may be another, or 0
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static BvhPlan make(Device& device, const SearchDescription& description, const BoxHierarchy& hierarchy,
                      const passes::Rows& rows);
  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return device_.empty(); }

  /// A key per query for continued searches, next to nothing for others.
  std::uint64_t scratch_bytes() const;

  /// Records the search, as ScanPlan::record does.
  /// @param rows  the database that the hierarchy was built from, in the layout that make() was given
  void record(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers) const;

 private:
  PlannedFor device_;
  SearchDescription description_;
  passes::Rows rows_{};  // as planned
  BoxHierarchy hierarchy_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
