#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "proxel/search.hpp"

namespace proxel {

/// What a ScanPlan came to.
struct ScanPlan::Implementation {
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers) const;
  struct Round;  // the ranks of a range of queries that are found together
  void write(Recording&, std::span<const RowsSegment>, const SearchBuffers&) const;
  void record_few(Recording&, std::span<const RowsSegment>, const Round&) const;
  void record_nearest(Recording&, std::span<const RowsSegment>, const Round&) const;
  void record_many(Recording&, std::span<const RowsSegment>, const Round&) const;

  // Whether each query has one list, as long as what is wanted, which needs no merging.
  bool has_only_list() const { return shape_ == Shape::many && groups_ == 1 && round_ == description_.k; }

  PlannedFor device_;
  SearchDescription description_;
  std::vector<RowsSegment> segments_;  // as planned
  enum class Shape { few, nearest, many } shape_ = Shape::few;
  std::uint32_t groups_ = 1;  // workgroups or segments per query
  std::uint32_t scan_workgroup_ = 128;
  std::uint32_t tile_width_ = 8;     // side of the square of threads of the tile passes
  std::uint32_t block_queries_ = 1;  // queries searched together
  std::uint64_t chunk_rows_ = 0;     // rows whose distance keys are held at once (many)
  std::uint64_t selectable_ = 0;     // min(k, rows)
  std::uint32_t round_ = 1;          // ranks found per round
  std::uint64_t after_offset_ = 0;   // keys that a continued search begins behind
  std::uint64_t lists_offset_ = 0;
  std::uint64_t partial_offset_ = 0;
  std::uint64_t distance_keys_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
  // One counter per query, zero between searches: the workgroup that finishes
  // last merges. Null where searches take more than one pass.
  std::unique_ptr<Buffer> tickets_;
};

}  // namespace proxel
