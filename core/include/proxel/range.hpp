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
  /// Distances are left as rows are ordered by them, as SearchDescription::ordered says. The radius is of finished ones.
  bool ordered = false;

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
  bool empty() const { return implementation_.empty(); }

  /// Scratch that any of the recordings needs: within description.scratch_limit,
  /// unless eight bytes per query and the distances of one query to 128 rows are more.
  std::uint64_t scratch_bytes() const;

  /// Work recorded before must be made visible by a barrier of the caller; so must what this writes to what follows.
  /// Checks what it is given before it records anything (proxel/search.hpp).
  /// @param segments  as many, with as many rows each in the same layout, as make() was given, whose addresses may
  ///                  have been others, or 0
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers,
              SearchPart part = SearchPart::whole) const;

 private:
  struct PROXEL_HIDDEN Implementation;
  Planned<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
