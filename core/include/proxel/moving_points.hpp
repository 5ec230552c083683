#pragma once

// Neighbours among points that move: one object, recorded once in every frame.

#include <cstdint>
#include <memory>

#include "proxel/bvh.hpp"
#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// The caller's buffers of one such search.
struct MovingPointsBuffers {
  BufferView points;     ///< read: binary32, laid out as planned, 4-byte aligned; where they ask themselves, 16-byte
  BufferView indices;    ///< written: 32-bit [queries x k], nearest first; 4-byte aligned, as what follows
  BufferView distances;  ///< written: binary32 [queries x k]
  /// Clobbered: at least scratch_bytes(), 256-byte aligned; not looked at where the plan has its own.
  BufferView scratch = {};
  /// Read: binary32 [queries x dimensions], row-major, 16-byte aligned. None: the first of the points ask.
  BufferView queries = {};
  BufferView filter = {};  ///< as in SearchBuffers
  SearchAfter after = {};
  BufferView count = {};
};

/// What MovingPointsBuffers have to be.
struct MovingPointsRequirements {
  BufferRequirement points;
  SearchRequirements others;  ///< scratch: of 0 bytes where the plan has its own

  bool operator==(const MovingPointsRequirements&) const = default;
};

struct MovingPointsOptions {
  /// Whether the plan allocates its scratch memory when it is made; otherwise the caller brings it, who may use it
  /// for something else between two executions.
  bool own_scratch = true;
  /// Whether a point that asks is left out of its own neighbours, by its number, so that points at the same place stay.
  /// Of points that ask themselves alone: MovingPointsBuffers::queries is then refused.
  bool exclude_self = false;
};

/// k nearest points of each query, of points that are others at every execution: a BoxHierarchy is built over them
/// anew, and searched by a BvhPlan, with what goes between the two. Up to 8 dimensions; l1, l2sq, l2 and linf.
///
/// The plan owns the boxes, and keeps nothing else from one execution to the next. Its executions follow each other in
/// order, with a barrier between. Planning submits nothing.
class MovingPointsPlan {
 public:
  /// Whether the device can make and use one, and why not.
  static Support supports(Device& device, const SearchDescription& description);

  /// @param description  rows are the points. Filtered, continued and counted as BvhPlan does; where points are left out of
  ///                     their own neighbours, the boxes have to serve k + 1
  /// @param layout       of the points in MovingPointsBuffers::points; its address is not looked at
  /// Throws Error(invalid_argument | unsupported | out_of_memory) naming the field at fault.
  static MovingPointsPlan make(Device& device, const SearchDescription& description, const passes::Rows& layout,
                               const MovingPointsOptions& options = {});
  /// The same of points that lie row-major, [points x dimensions].
  static MovingPointsPlan make(Device& device, const SearchDescription& description,
                               const MovingPointsOptions& options = {});

  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return device_.empty(); }
  const SearchDescription& description() const { return description_; }
  /// Scratch memory that record() needs, whose ever it is, bytes.
  std::uint64_t scratch_bytes() const;
  MovingPointsRequirements requirements() const;

  /// Records the building of the boxes and the search. What it is given is checked before anything is recorded, as
  /// plans of proxel/search.hpp do. Barriers before and after it are the caller's.
  void record(Recording& recording, const MovingPointsBuffers& buffers) const;
  /// Its two halves, for who wants to time them apart: in that order, with nothing but the caller's barrier between.
  /// Boxes look at points and scratch memory alone.
  void record_boxes(Recording& recording, const MovingPointsBuffers& buffers) const;
  void record_search(Recording& recording, const MovingPointsBuffers& buffers) const;

 private:
  SearchBuffers checked(const Recording&, const MovingPointsBuffers&, bool search) const;
  void record_nearest(Recording&, const passes::Rows&, const SearchBuffers&) const;
  // Where what was found with the points themselves lies in scratch memory, and their numbers.
  struct Found {
    std::uint64_t indices = 0, distances = 0, selves = 0, bytes = 0;
  };
  Found found() const;
  passes::Rows rows(const MovingPointsBuffers&) const;

  PlannedFor device_;
  SearchDescription description_;
  passes::Rows layout_{};
  BoxHierarchy boxes_;
  BvhPlan plan_;  // finds one more where points are left out
  bool exclude_self_ = false;
  std::unique_ptr<Buffer> scratch_;  // null where the caller brings it
};

}  // namespace proxel
PROXEL_PUBLIC_END
