#pragma once

// Range search: every row within a radius of each query, as a plan that is
// recorded into any Recording (see proxel/search.hpp): of rows of the caller's,
// and of an index.

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/export.h"
#include "proxel/search.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// What a range plan needs to know.
struct RangeDescription {
  Metric metric = Metric::l2sq;  ///< cosine and pearson: see record_normalize()
  std::uint64_t rows = 0;        ///< of all segments together, 1…2^32-2
  std::uint32_t dimensions = 0;  ///< 1…2^24
  std::uint32_t queries = 0;     ///< at least 1
  /// A row is a neighbour where its distance, as it is returned, is at most the
  /// radius; for ip where it is at least the radius. May be infinite, in either
  /// direction, but not NaN. Distances of NaN are within no radius.
  float radius = 0;
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;  ///< bytes, at least 1 MiB
  FilterKind filter = FilterKind::none;  ///< of RangeBuffers::filter
};

/// The caller's buffers of one range search.
struct RangeBuffers {
  BufferView queries;  ///< read: binary32 [queries x dimensions], row-major, 16-byte aligned
  BufferView scratch;  ///< clobbered: at least scratch_bytes(), 256-byte aligned
  /// 64-bit, [queries + 1], 8-byte aligned. Written when neighbours are counted:
  /// those of query i are offsets[i] … offsets[i + 1] - 1, exactly counted
  /// whatever there is room for; the last is the number of all. Read when they
  /// are written.
  BufferView offsets;
  /// Written: 32-bit and binary32, as many slots as both have (the capacity),
  /// 4-byte aligned. Each query's neighbours lie at its offsets, ordered by
  /// (distance, index) as in Neighbors. A query is written whole or not at all:
  /// one that would reach past the capacity, and with it every later one, leaves
  /// its slots undefined. Not needed to count.
  BufferView indices = {};
  BufferView distances = {};
  BufferView filter = {};  ///< read, unless the description's filter is none; see FilterKind
};

/// What RangeBuffers have to be, member by member. Indices and distances are as large as the
/// caller wants, from one slot on.
struct RangeRequirements {
  BufferRequirement queries;
  BufferRequirement scratch;
  BufferRequirement offsets;
  BufferRequirement indices;
  BufferRequirement distances;
  BufferRequirement filter;  ///< unless the description's filter is none

  bool operator==(const RangeRequirements&) const = default;
};

/// What a plan of that description needs of the caller's buffers.
/// @param scratch_bytes  what the plan says of itself
RangeRequirements requirements_of(const RangeDescription& description, std::uint64_t scratch_bytes);

/// Every row within a radius. In two calls: record_count(), after whose
/// execution the caller reads the number of all neighbours and takes memory for
/// them, then record_fill(). In one call: record(), with as much memory as the
/// caller wants to give; the counts are exact in any case.
class RangePlan {
 public:
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static RangePlan make(Device& device, const RangeDescription& description,
                        std::span<const RowsSegment> segments);
  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return device_.empty(); }

  /// Scratch that any of the recordings needs: within description.scratch_limit,
  /// unless eight bytes per query and the distances of one query to 128 rows are more.
  std::uint64_t scratch_bytes() const {
    device_.device();
    return scratch_bytes_;
  }

  // Work recorded before must be made visible by a barrier of the caller; so
  // must what these write to what follows. Segments: as many, with as many rows
  // each in the same layout, as make() was given, whose addresses may have been others, or 0.
  // Each checks what it is given before it records anything (proxel/search.hpp).

  /// Writes the offsets. Distances are evaluated and nothing but counted.
  void record_count(Recording& recording, std::span<const RowsSegment> segments,
                    const RangeBuffers& buffers) const;
  /// Writes the neighbours, at the offsets that counting the same search left.
  void record_fill(Recording& recording, std::span<const RowsSegment> segments,
                   const RangeBuffers& buffers) const;
  /// Both, one after the other.
  void record(Recording& recording, std::span<const RowsSegment> segments,
              const RangeBuffers& buffers) const;

 private:
  struct Collection;  // what collecting does with the matches
  struct Matches;     // what is done with the distances
  Matches matches(const RangeBuffers& buffers) const;
  void check_all(const Recording&, std::span<const RowsSegment>, const RangeBuffers&, bool fill) const;
  void write_count(Recording&, std::span<const RowsSegment>, const RangeBuffers&) const;
  void record_collection(Recording&, std::span<const RowsSegment>, const RangeBuffers&,
                         const Collection&) const;
  void record_distances(Recording&, const RowsSegment&, std::uint64_t first_row,
                        std::uint32_t columns, std::uint64_t query_address,
                        std::uint32_t queries, std::uint64_t keys) const;

  PlannedFor device_;
  RangeDescription description_;
  std::vector<RowsSegment> segments_;  // as planned
  std::uint32_t limit_ = 0;            // the largest distance key that matches
  bool one_by_one_ = false;            // distances of few queries, one after the other
  std::uint32_t tile_width_ = 8;
  std::uint32_t wanted_groups_ = 1;    // workgroups that keep the device busy
  std::uint32_t block_queries_ = 1;    // queries whose distances are held together
  std::uint64_t chunk_rows_ = 0;       // rows whose distances are held at once
  std::uint64_t distances_offset_ = 0;  // in the scratch memory, behind the counters
  std::uint64_t scratch_bytes_ = 0;
};

/// One range search of an index, planned for a number of queries, radius and metric:
/// recorded any number of times, into any Recording; its recordings must not execute at
/// the same time. Outlives the execution of what it recorded; the index outlives it.
class PlannedRangeSearch {
 public:
  explicit PlannedRangeSearch(const RangeDescription& description) : description_(description) {}
  virtual ~PlannedRangeSearch() = default;

  /// What was planned, as its caller sees it.
  const RangeDescription& description() const { return description_; }
  /// What the buffers given to record() have to be.
  RangeRequirements requirements() const { return requirements_of(description_, scratch_bytes()); }

  /// Scratch memory that any of the recordings needs, bytes.
  virtual std::uint64_t scratch_bytes() const = 0;
  /// Writes the search down: offsets, which count exactly whatever there is room for, and
  /// neighbours. Allocates, submits and waits for nothing. Barriers before and after it are
  /// the caller's.
  virtual void record(Recording& recording, const RangeBuffers& buffers) const = 0;
  /// The two halves of record(), as RangePlan has them. Throw Error(unsupported) where the
  /// search has none, as that of a VectorPermutationIndex.
  virtual void record_count(Recording& recording, const RangeBuffers& buffers) const;
  virtual void record_fill(Recording& recording, const RangeBuffers& buffers) const;

 private:
  RangeDescription description_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
