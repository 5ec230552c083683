#pragma once

// Exact search in few dimensions through a bounding volume hierarchy: most rows
// are never looked at, because the box that they share is too far away.

#include <cstdint>
#include <memory>

#include "proxel/export.h"
#include "proxel/passes.hpp"
#include "proxel/search.hpp"
#include "proxel/selection.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// A bounding volume hierarchy over the rows of a database: leaves of 32 rows that
/// are neighbours on a Morton curve (over the ranks of their coordinates, so
/// that no outlier spoils it), nodes of 32 children. Serves every metric that grows
/// with |query - row| of each dimension. Takes about 4 bytes per value and 4 per
/// row, and a quarter of a byte per value for the boxes.
class BoxHierarchy {
 public:
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
  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  /// At most that for so many rows.
  static constexpr std::uint64_t scratch_bytes(std::uint64_t rows) { return rows * 40 + (1u << 20); }

  /// Records the building: a sort per dimension and one of the codes.
  /// @param rows     the database in one piece, in any layout
  /// @param scratch  clobbered: at least scratch_bytes(), 256-byte aligned
  void record(Recording& recording, const passes::Rows& rows, const BufferView& scratch) const;

  std::uint64_t rows() const { return rows_; }
  std::uint32_t dimensions() const { return dimensions_; }
  /// As bvh_search.h says.
  const BufferView& order() const { return memory_.order; }
  const BufferView& coordinates() const { return memory_.coordinates; }
  const BufferView& boxes() const { return memory_.boxes; }

 private:
  void prepare(Device& device);

  std::uint64_t rows_;
  std::uint32_t dimensions_;
  SelectionPlan sort_;
  std::unique_ptr<Buffer> order_, coordinates_, boxes_;  // null where the memory is the caller's
  Memory memory_;
  std::uint64_t scratch_bytes_ = 0;
};

/// k nearest rows of each query through a BoxHierarchy, in one pass. Filtered and
/// continued as the scan is.
class BvhPlan {
 public:
  static constexpr std::uint64_t most_k = 1024;

  /// Whether a plan could serve this, given a hierarchy, and why not.
  static Support supports(const Device& device, const SearchDescription& description);

  /// @param hierarchy  of the same rows; outlives the plan
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static BvhPlan make(Device& device, const SearchDescription& description,
                      const BoxHierarchy& hierarchy, const passes::Rows& rows);

  /// A key per query for continued searches, next to nothing for others.
  std::uint64_t scratch_bytes() const;

  /// Records the search, as ScanPlan::record does.
  /// @param rows  the database that the hierarchy was built from
  void record(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers) const;

 private:
  SearchDescription description_;
  const BoxHierarchy* hierarchy_ = nullptr;
};

}  // namespace proxel
PROXEL_PUBLIC_END
