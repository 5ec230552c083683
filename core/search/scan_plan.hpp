#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "proxel/passes/list_distances.h"
#include "proxel/search.hpp"
#include "proxel/selection.hpp"

namespace proxel {

/// What a ScanPlan came to.
struct ScanPlan::Implementation {
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers) const;
  struct Round;  // the ranks of a range of queries that are found together
  void write(Recording&, std::span<const RowsSegment>, const SearchBuffers&) const;
  void record_few(Recording&, std::span<const RowsSegment>, const Round&) const;
  void record_nearest(Recording&, std::span<const RowsSegment>, const Round&) const;
  void record_many(Recording&, std::span<const RowsSegment>, const Round&) const;

  void plan_lists(Device&);  // a shape of one or several rounds
  // Where so many neighbours are wanted that rounds of lists would take longer, the shape `listed`; whether it was.
  struct Listed;
  bool plan_listed(Device&);
  SelectionPlan plan_selection(Device&, const Listed&, std::uint64_t queries) const;
  void record_listed(Recording&, std::span<const RowsSegment>, const Round&, const SearchBuffers&,
                     std::uint64_t first_slot) const;
  void record_numbered(Recording&, const passes::ListDistancesParameters&, std::uint32_t queries) const;
  void record_values(Recording&, std::span<const RowsSegment>, const Round&, const SearchBuffers&) const;
  // Distance keys of the round's queries and a chunk of rows, whose number is returned.
  std::uint32_t record_distances(Recording&, const RowsSegment&, const Round&, std::uint64_t first_row,
                                 std::uint64_t keys, std::uint32_t keys_stride) const;

  // Whether each query has one list, as long as what is wanted, which needs no merging.
  bool has_only_list() const { return shape_ == Shape::many && groups_ == 1 && round_ == description_.k; }

  PlannedFor device_;
  SearchDescription description_;
  std::vector<RowsSegment> segments_;  // as planned
  enum class Shape { few, nearest, many, listed } shape_ = Shape::few;
  std::uint32_t groups_ = 1;  // workgroups or segments per query
  std::uint32_t scan_workgroup_ = 128;
  std::uint32_t tile_width_ = 8;     // side of the square of threads of the tile passes
  std::uint32_t block_queries_ = 1;  // queries searched together
  std::uint64_t chunk_rows_ = 0;     // rows whose distance keys are computed at once (many, listed)
  std::uint64_t selectable_ = 0;     // min(k, rows)
  std::uint32_t round_ = 1;          // ranks found per round
  std::uint64_t after_offset_ = 0;   // keys that a continued search begins behind
  std::uint64_t lists_offset_ = 0;
  std::uint64_t partial_offset_ = 0;
  std::uint64_t distance_keys_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
  // All distances of a block of queries, and how they are selected from.
  struct Listed {
    bool numbered = false;     // distances have the numbers of their rows beside them
    std::uint64_t stride = 0;  // from one query's to the next's
    std::uint64_t found = 0;   // neighbours of each query, as many as there are rows at most
    std::uint64_t parts = 0;   // of a query's rows, where they are numbered
    std::uint32_t workgroup = 0;
    std::uint64_t values_offset = 0, rows_offset = 0, counts_offset = 0, keys_offset = 0;
    std::uint64_t results_offset = 0, selection_offset = 0;
    std::uint64_t selection_bytes = 0;
    SelectionPlan select, select_last;  // of a whole block, and of what is left behind the last

    // Results have slots behind the last row: what is selected is brought to them from scratch memory.
    bool padded(std::uint64_t k) const { return found < k; }
  };
  std::optional<Listed> listed_;
  // One counter per query, zero between searches: the workgroup that finishes
  // last merges. Null where searches take more than one pass.
  std::unique_ptr<Buffer> tickets_;
};

}  // namespace proxel
