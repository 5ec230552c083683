#pragma once

// The two searches of Garcia, Debreuve, Nielsen and Barlaud, "K-nearest
// neighbor search: fast GPU-based implementations and application to
// high-dimensional feature matching" (2010), as plans (proxel/search.hpp).

#include <memory>
#include <span>
#include <vector>

#include "proxel/export.h"
#include "proxel/search.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

enum class GarciaForm {
  direct,  ///< section 2.2: distance matrix, one invocation per pair; insertion sort. Any exact metric
  gemm,    ///< section 2.3: |r|^2 - 2 q.r by a matrix product; insertion sort. l2sq and l2
};

/// A distance matrix of all rows by a block of queries, and the k smallest of
/// each column by the paper's modified insertion sort, one invocation per query.
///
/// Where the matrix does not fit the scratch limit the queries are split, as
/// in the paper; where that would leave fewer than 16,384 queries, which is what the
/// sort has invocations for, the rows are split as well and each query's k
/// smallest are carried from part to part.
///
/// The direct form's distances are canonical, so that its answer is the
/// contract's. The expansion of the other form cancels: it keeps more than k
/// survivors, evaluates them canonically, proves by a bound on its rounding
/// that no other row can be among the k nearest (docs/proofs/expansion.md), and
/// scans all rows for the queries for which that is not proven.
/// A plan owns what it counts them in: it outlives the execution of what it recorded.
/// With description.raw the paper's own arithmetic is returned uncorrected.
class GarciaPlan {
 public:
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static GarciaPlan make(Device& device, const SearchDescription& description, std::span<const RowsSegment> segments,
                         GarciaForm form);
  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return device_.empty(); }

  /// Scratch that record() needs. Within description.scratch_limit, unless 128
  /// rows and one query's survivors alone need more.
  std::uint64_t scratch_bytes() const {
    device_.device();
    return scratch_bytes_;
  }

  /// Queries of the latest execution, which has finished, whose answer was not
  /// proven and which were scanned. Always 0 for the direct form and raw.
  std::uint64_t undecided() const;

  /// Records the search, as ScanPlan::record does.
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers) const;

 private:
  // Whether rows are dropped by a bound that has to be checked.
  bool certifies() const { return form_ == GarciaForm::gemm && !description_.raw && survivors_ < description_.rows; }
  struct Block;  // a range of queries that are searched together
  void size_blocks(const Device& device);
  void record_matrix(Recording&, const Block&, const RowsSegment&, std::uint32_t first_row, std::uint32_t row_count,
                     bool norms) const;
  void record_sort(Recording&, const Block&, std::uint32_t row_count, std::uint64_t rows_before,
                   std::uint64_t first_index) const;
  void record_raw(Recording&, const Block&) const;
  void record_exact(Recording&, const Block&, const RowsSegment&) const;

  PlannedFor device_;
  SearchDescription description_;
  std::vector<RowsSegment> segments_;  // as planned
  GarciaForm form_ = GarciaForm::direct;
  std::uint32_t found_ = 1;       // min(k, rows)
  std::uint32_t survivors_ = 1;   // ranks that the sort keeps
  std::uint32_t tile_width_ = 8;  // side of the square of threads of the product
  std::uint32_t block_queries_ = 1;
  std::uint32_t pitch_ = 4;         // queries of a row of the matrix, rounded up
  std::uint32_t chunk_rows_ = 128;  // rows of the matrix
  std::uint32_t sort_rows_ = 1;     // rows that one sorting pass takes
  std::uint32_t rescue_lists_ = 1;
  std::uint32_t rescue_workgroups_ = 1;
  std::uint32_t workspace_bytes_ = 0;
  std::uint64_t undecided_offset_ = 0;
  std::uint64_t largest_offset_ = 0;
  std::uint64_t row_norms_offset_ = 0;
  std::uint64_t query_norms_offset_ = 0;
  std::uint64_t nearest_keys_offset_ = 0;
  std::uint64_t nearest_indices_offset_ = 0;
  std::uint64_t keys_offset_ = 0;
  std::uint64_t rescue_offset_ = 0;
  std::uint64_t workspace_offset_ = 0;
  std::uint64_t matrix_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
  std::unique_ptr<Buffer> counts_;  // read back: undecided queries of each block of queries
};

/// Whether a search can be served, or why not: k at most 1,024, the metrics of
/// the form, the matrix product that gemm needs, gemm's rows in one segment.
Support garcia_supports(const Device& device, GarciaForm form, Metric metric, std::uint64_t k,
                        std::span<const RowsSegment> segments);

}  // namespace proxel
PROXEL_PUBLIC_END
