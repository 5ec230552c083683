#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "proxel/range.hpp"

namespace proxel {

/// What a RangePlan came to.
struct RangePlan::Implementation {
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers,
              SearchPart part) const;
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
