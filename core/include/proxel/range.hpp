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
  FilterKind filter = FilterKind::none;                    ///< of SearchBuffers::filter

  bool operator==(const RangeDescription&) const = default;
};

/// What a plan of that description needs of the caller's buffers.
/// @param scratch_bytes  what the plan says of itself
SearchRequirements requirements_of(const RangeDescription& description, std::uint64_t scratch_bytes);

/// Every row within a radius: whole, with as much memory for matches as the caller wants to give, or in halves,
/// between which the caller reads how many there are. The counts are exact in any case.
class RangePlan {
 public:
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static RangePlan make(Device& device, const RangeDescription& description, std::span<const RowsSegment> segments);
  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return device_.empty(); }

  /// Scratch that any of the recordings needs: within description.scratch_limit,
  /// unless eight bytes per query and the distances of one query to 128 rows are more.
  std::uint64_t scratch_bytes() const {
    device_.device();
    return scratch_bytes_;
  }

  /// Work recorded before must be made visible by a barrier of the caller; so must what this writes to what follows.
  /// Checks what it is given before it records anything (proxel/search.hpp).
  /// @param segments  as many, with as many rows each in the same layout, as make() was given, whose addresses may
  ///                  have been others, or 0
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers,
              SearchPart part = SearchPart::whole) const;

 private:
  struct Collection;  // what collecting does with the matches
  struct Matches;     // what is done with the distances
  Matches matches(const SearchBuffers& buffers) const;
  void record_collection(Recording&, std::span<const RowsSegment>, const SearchBuffers&, const Collection&) const;
  void record_distances(Recording&, const RowsSegment&, std::uint64_t first_row, std::uint32_t columns,
                        std::uint64_t query_address, std::uint32_t queries, std::uint64_t keys) const;

  PlannedFor device_;
  RangeDescription description_;
  std::vector<RowsSegment> segments_;  // as planned
  std::uint32_t limit_ = 0;            // the largest distance key that matches
  bool one_by_one_ = false;            // distances of few queries, one after the other
  std::uint32_t tile_width_ = 8;
  std::uint32_t wanted_groups_ = 1;     // workgroups that keep the device busy
  std::uint32_t block_queries_ = 1;     // queries whose distances are held together
  std::uint64_t chunk_rows_ = 0;        // rows whose distances are held at once
  std::uint64_t distances_offset_ = 0;  // in the scratch memory, behind the counters
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel
PROXEL_PUBLIC_END
