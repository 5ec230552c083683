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
  friend class KomarovPairPlan;

  Planned<Layout> layout_;
};

/// The caller's buffers of a search of two sets by each other. What is written is apart from everything else.
struct KomarovPairBuffers {
  BufferView rows;           ///< read: binary32 [rows x dimensions], row-major, 16-byte aligned
  BufferView queries;        ///< read: the same, [queries x dimensions]
  BufferView scratch;        ///< clobbered
  BufferView indices;        ///< written: 32-bit [queries x k], of each query its nearest rows, as in SearchBuffers
  BufferView distances;      ///< written: binary32, as many
  BufferView row_indices;    ///< written: 32-bit [rows x k], of each row its nearest queries
  BufferView row_distances;  ///< written: binary32, as many
};

/// What KomarovPairBuffers have to be.
struct KomarovPairRequirements {
  BufferRequirement rows, queries, scratch, indices, distances, row_indices, row_distances;
};

/// The nearest rows of each query and the nearest queries of each row from one matrix product: those of the second are
/// selected from its transpose, as the paper has it. Both answers are those of two searches, to the bit: each is proven
/// for itself, or returned raw. The product is shared where either search takes a single matrix within half the scratch
/// limit (KomarovPlan::block_queries() and chunk_rows()); where it does not, this is the two searches one after the
/// other. A plan owns what KomarovPlan does, and outlives the execution of what it recorded.
class KomarovPairPlan {
 public:
  /// @param description  of the search of rows by queries; neither filtered, continued nor counted
  /// @param selection    as KomarovPlan::make() has it
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static KomarovPairPlan make(Device& device, const SearchDescription& description,
                              SelectionMethod selection = SelectionMethod::automatic);

  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return device_.empty(); }
  const SearchDescription& description() const { return description_; }
  KomarovPairRequirements requirements() const;
  /// Whether both answers come from one product.
  bool shares_product() const { return shares_product_; }
  /// After execution: the queries and rows that were not proven and were scanned.
  std::uint64_t undecided() const;

  /// Records both searches. What it is given is checked before anything is recorded. Barriers before and after it are
  /// the caller's. Throws Error(invalid_argument).
  void record(Recording& recording, const KomarovPairBuffers& buffers) const;

 private:
  bool plan(Device& device, std::uint64_t scratch_limit, SelectionMethod selection);
  std::uint64_t scratch_bytes() const;
  void record_shared(Recording& recording, std::span<const RowsSegment, 2> sets,
                     std::span<const SearchBuffers, 2> buffers) const;

  PlannedFor device_;
  SearchDescription description_;
  KomarovPlan of_queries_, of_rows_;
  bool shares_product_ = false;
};

/// Whether a search can be served, or why not: l2sq, l2, cosine and pearson, k
/// at most 1,024 unless raw, rows in one segment, and the subgroup operations
/// and matrix product that the passes need.
Support komarov_supports(const Device& device, const SearchDescription& description,
                         std::span<const RowsSegment> segments, SelectionMethod selection = SelectionMethod::automatic);

}  // namespace proxel
PROXEL_PUBLIC_END
