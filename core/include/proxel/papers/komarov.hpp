#pragma once

// The k-NN search of Komarov, Dashti and D'Souza, "Fast k-NNG construction with
// GPU-based quick multi-select" (2013), as a plan (proxel/search.hpp). The k-NN
// graph itself is in proxel/graph.hpp.

#include <memory>
#include <span>

#include "proxel/export.h"
#include "proxel/search.hpp"
#include "proxel/selection.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Distances of a block of queries to all rows by a matrix product, then the
/// nearest of each query by quick multi-select, a subgroup or a workgroup per
/// query. l2sq and l2 by |r|^2 - 2 q.r, to which the query's norm is added last;
/// cosine and pearson by the product of normalised (pearson: centred) values.
///
/// Queries are split where matrix and auxiliary memory do not fit the scratch
/// limit; where that would leave fewer than the 128 that the paper needs to
/// fill a GPU, rows are split as well and each query's nearest are carried from
/// part to part.
///
/// More than k survivors are selected, evaluated canonically, and the answer
/// is proven by a bound on the product's rounding (docs/proofs/expansion.md); queries
/// for which that fails are scanned. With description.raw the paper's own
/// arithmetic is returned uncorrected. A plan owns a few bytes that the device
/// writes: it outlives the execution of what it recorded.
class KomarovPlan {
 public:
  /// @param selection  quick_multi_select_subgroup, quick_multi_select_workgroup,
  ///                   or automatic, which decides by the number of queries
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static KomarovPlan make(Device& device, const SearchDescription& description, std::span<const RowsSegment> segments,
                          SelectionMethod selection = SelectionMethod::automatic);

  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return layout_.empty(); }

  /// Scratch that record() needs. Within description.scratch_limit, unless one
  /// query and 128 rows alone need more.
  std::uint64_t scratch_bytes() const;
  /// Queries that are searched together, and rows of one part.
  std::uint32_t block_queries() const;
  std::uint32_t chunk_rows() const;
  /// Which of the two forms of quick multi-select is used.
  SelectionMethod selection() const;

  /// After execution: the queries that were not proven and were scanned.
  std::uint64_t undecided() const;

  /// Records the search, as ScanPlan::record does.
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers) const;

  /// How a search is cut into parts; defined where plans are made.
  struct PROXEL_HIDDEN Layout;

 private:
  Planned<Layout> layout_;
};

/// Whether a search can be served, or why not: l2sq, l2, cosine and pearson, k
/// at most 1,024 unless raw, rows in one segment, and the subgroup operations
/// and matrix product that the passes need.
Support komarov_supports(const Device& device, const SearchDescription& description,
                         std::span<const RowsSegment> segments, SelectionMethod selection = SelectionMethod::automatic);

}  // namespace proxel
PROXEL_PUBLIC_END
