#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "proxel/papers/garcia.hpp"

namespace proxel {

/// What a GarciaPlan came to.
struct GarciaPlan::Implementation {
  void record(Recording& recording, std::span<const RowsSegment> segments, const SearchBuffers& buffers) const;
  std::uint64_t undecided() const;

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
  bool tracked_ = true;           // which row a distance is of
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
  std::unique_ptr<Buffer> counts_;  // read back: what each block of queries told
};

}  // namespace proxel
