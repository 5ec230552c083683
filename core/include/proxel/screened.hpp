#pragma once

// The screened search: exact k-NN at the speed of matrix units.
//
// Half-precision scores discard what provably is not among the k nearest; what
// is left is evaluated canonically, and queries for which that does not decide
// are scanned canonically. The answer is the scan's, to the bit.
// docs/exactness.md derives the bound.

#include <cstdint>
#include <memory>
#include <vector>

#include "proxel/passes.hpp"
#include "proxel/search.hpp"

namespace proxel {

/// Half-precision copy of a database, with what bounds its error. Made once per
/// database and kind of metric (l2sq and l2 share one, ip has its own); takes
/// about 2 bytes per value (dimensions rounded up to 64) and 4 per row. With a
/// row-major copy of the values it takes 4 bytes per value more, and the rows that
/// are evaluated canonically are read several times faster.
class ScreenedRows {
 public:
  /// Whether the device can make and use one for this metric and size, and why not.
  static Support supports(const Device& device, Metric metric, std::uint64_t rows,
                          std::uint32_t dimensions);

  /// Allocates; the contents are undefined until record() has been executed.
  /// Throws Error(unsupported | out_of_memory).
  ScreenedRows(Device& device, Metric metric, std::uint64_t rows, std::uint32_t dimensions,
               bool row_major_copy = true);

  /// What a copy takes in device memory.
  static std::uint64_t bytes(Metric metric, std::uint64_t rows, std::uint32_t dimensions,
                             bool row_major_copy = true);

  /// Records the packing of all rows.
  /// @param rows  the database in one piece, in any layout
  void record(Recording& recording, const passes::Rows& rows) const;

  std::uint64_t rows() const { return rows_; }
  std::uint32_t dimensions() const { return dimensions_; }
  /// l2sq or ip.
  Metric metric() const { return metric_; }
  /// Whether a value is kept as two halves: for few dimensions, where that costs nothing.
  bool split() const { return split_; }
  /// Halves of a row that are not padding.
  std::uint32_t depth() const { return split_ ? 3 * dimensions_ : dimensions_; }
  std::uint32_t depth_blocks() const;

  const Buffer& frame() const { return *frame_; }
  const Buffer& packed() const { return *packed_; }
  const Buffer& biases() const { return *biases_; }
  const Buffer& bounds() const { return *bounds_; }
  /// Null where there is none; binary32 [rows x dimensions].
  const Buffer* row_major() const { return row_major_.get(); }

 private:
  Metric metric_;
  std::uint64_t rows_;
  std::uint32_t dimensions_;
  bool split_;
  std::unique_ptr<Buffer> frame_, packed_, biases_, bounds_, row_major_;
};

/// k nearest rows of many queries through a ScreenedRows.
class ScreenedPlan {
 public:
  /// Whether a plan could serve this, and why not.
  static Support supports(const Device& device, const SearchDescription& description);

  /// @param description  metric l2sq, l2 or ip; k at most 1,024
  /// @param screened     of the same rows and metric; outlives the plan
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static ScreenedPlan make(Device& device, const SearchDescription& description,
                           const ScreenedRows& screened, const passes::Rows& rows);

  std::uint64_t scratch_bytes() const { return scratch_bytes_; }

  /// Records the search, as ScanPlan::record does.
  /// @param rows  the database that `screened` was packed from
  void record(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers) const;

  /// Where in the scratch memory a 32-bit count stands, after the search: how many
  /// queries screening left to the canonical scan.
  std::uint64_t undecided_offset() const { return 0; }

 private:
  struct Block;
  void record_block(Recording&, const passes::Rows&, const SearchBuffers&, const Block&) const;
  void record_undecided(Recording&, const passes::Rows&, const SearchBuffers&) const;

  SearchDescription description_;
  const ScreenedRows* screened_ = nullptr;
  passes::ScreenArithmetic arithmetic_ = passes::ScreenArithmetic::matrix;
  std::uint32_t block_queries_ = 0;    // searched together; a multiple of 128 but for the last
  std::uint32_t sample_step_ = 1;      // every so many tiles are sampled
  std::uint32_t sample_tiles_ = 0;
  std::uint32_t groups_per_tile_ = 4;
  std::uint32_t workgroup_queries_ = 128;
  std::uint32_t splits_ = 1;           // workgroups that share the rows, per workgroup_queries_
  std::uint32_t capacity_ = 0;         // rows that one of them may collect for a query
  std::uint32_t pool_ = 0;             // rows considered per query, at most
  std::uint32_t rescue_lists_ = 0;
  std::uint32_t rescue_groups_ = 0;
  std::uint32_t rescue_workgroups_ = 0;
  // Offsets in the scratch memory, bytes.
  std::uint64_t rescue_offset_ = 0;
  std::uint64_t queries_offset_ = 0;
  std::uint64_t query_bounds_offset_ = 0;
  std::uint64_t thresholds_offset_ = 0;
  std::uint64_t counts_offset_ = 0;
  std::uint64_t found_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel
