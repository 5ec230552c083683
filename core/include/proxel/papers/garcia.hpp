#pragma once

// The two searches of Garcia, Debreuve, Nielsen and Barlaud, "K-nearest
// neighbor search: fast GPU-based implementations and application to
// high-dimensional feature matching" (2010), as plans (proxel/search.hpp).

#include <memory>
#include <span>
#include <vector>

#include "proxel/export.h"
#include "proxel/papers/options.hpp"
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
                         GarciaForm form, const GarciaOptions& options = {});
  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return implementation_.empty(); }

  /// Scratch that record() needs. Within description.scratch_limit, unless 128
  /// rows and one query's survivors alone need more.
  std::uint64_t scratch_bytes() const;

  /// Queries of the latest execution, which has finished, whose answer was not
  /// proven and which were scanned. Always 0 for the direct form and raw.
  std::uint64_t undecided() const;

  /// Records the search, as ScanPlan::record does.
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers) const;

 private:
  struct PROXEL_HIDDEN Implementation;
  Planned<Implementation> implementation_;
};

/// Whether a search can be served, or why not: k at most 1,024, the metrics of
/// the form, the matrix product that gemm needs, gemm's rows in one segment.
Support garcia_supports(const Device& device, GarciaForm form, Metric metric, std::uint64_t k,
                        std::span<const RowsSegment> segments);

}  // namespace proxel
PROXEL_PUBLIC_END
