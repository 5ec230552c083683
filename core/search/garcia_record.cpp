#include <algorithm>

#include "proxel/passes/add_row_norms.h"
#include "proxel/passes/certify_expansion.h"
#include "proxel/passes/extract_nearest.h"
#include "proxel/passes/insertion_sort.h"
#include "proxel/passes/matrix_product.h"
#include "proxel/passes/pair_distance.h"
#include "proxel/passes/reevaluate.h"
#include "proxel/passes/squared_norms.h"
#include "search/bindings.hpp"
#include "search/decode.hpp"
#include "search/garcia_plan.hpp"
#include "search/undecided.hpp"

namespace proxel {

using namespace search;

struct GarciaPlan::Implementation::Block {
  const SearchBuffers& buffers;
  std::uint32_t first;  // query
  std::uint32_t queries;
  std::uint64_t values;  // address of the first query

  std::uint64_t scratch(std::uint64_t offset) const { return buffers.scratch.address() + offset; }
};

void GarciaPlan::Implementation::record(Recording& recording, std::span<const RowsSegment> segments,
                                        const SearchBuffers& buffers) const {
  Bindings bindings(recording, device_.device());
  check(bindings, requirements_of(description_, scratch_bytes_), buffers);
  bindings.reads(segments, segments_, description_.dimensions);
  const bool gemm = form_ == GarciaForm::gemm;
  recording.push_label(gemm ? "garcia-gemm" : "garcia-direct");
  if (gemm) recording.fill(buffers.scratch.part(largest_offset_, 4), 0);
  for (std::uint32_t first = 0; first < description_.queries; first += block_queries_) {
    const Block block{buffers, first, std::min(block_queries_, description_.queries - first),
                      buffers.queries.address() + std::uint64_t{first} * description_.dimensions * 4};
    recording.barrier();  // the block before still uses the scratch memory
    if (gemm) {
      passes::SquaredNormsParameters norms{};
      norms.rows = row_major_rows(block.values, block.queries, description_.dimensions);
      norms.norms = block.scratch(query_norms_offset_);
      norms.dimensions = description_.dimensions;
      norms.row_count = block.queries;
      recording.record(passes::make_squared_norms(norms));
    }
    std::uint64_t rows_before = 0;
    for (const RowsSegment& segment : segments)
      for (std::uint64_t row = 0; row < segment.rows.count; row += chunk_rows_) {
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(chunk_rows_, segment.rows.count - row));
        if (rows_before != 0) recording.barrier();
        // The norms of a single chunk stay from block to block.
        const bool norms = first == 0 || count < description_.rows;
        record_matrix(recording, block, segment, static_cast<std::uint32_t>(row), count, norms);
        record_sort(recording, block, count, rows_before, segment.first_index + row);
        rows_before += count;
      }
    recording.barrier();
    if (gemm && !description_.raw)
      record_exact(recording, block, segments.front());
    else
      record_raw(recording, block);
  }
  recording.pop_label();
}

void GarciaPlan::Implementation::record_matrix(Recording& recording, const Block& block, const RowsSegment& segment,
                                               std::uint32_t first_row, std::uint32_t row_count, bool norms) const {
  if (form_ == GarciaForm::direct) {
    passes::PairDistanceParameters pairs{};
    pairs.rows = segment.rows;
    pairs.queries = block.values;
    pairs.keys = block.scratch(matrix_offset_);
    pairs.dimensions = description_.dimensions;
    pairs.query_count = block.queries;
    pairs.first_row = first_row;
    pairs.row_count = row_count;
    pairs.row_pitch = pitch_;
    pairs.query_stride = description_.dimensions;
    recording.record(passes::make_pair_distance(pairs, description_.metric));
    return;
  }
  if (norms) {
    passes::SquaredNormsParameters of_rows{};
    of_rows.rows = segment.rows;
    of_rows.norms = block.scratch(row_norms_offset_);
    of_rows.largest = block.scratch(largest_offset_);
    of_rows.dimensions = description_.dimensions;
    of_rows.first_row = first_row;
    of_rows.row_count = row_count;
    recording.record(passes::make_squared_norms(of_rows));
  }
  passes::MatrixProductParameters product{};
  product.rows = segment.rows;
  product.queries = block.values;
  product.matrix = block.scratch(matrix_offset_);
  product.workspace = block.scratch(workspace_offset_);
  product.dimensions = description_.dimensions;
  product.query_count = block.queries;
  product.first_row = first_row;
  product.row_count = row_count;
  product.query_stride = description_.dimensions;
  product.query_pitch = 1;
  product.row_pitch = pitch_;
  product.workspace_bytes = workspace_bytes_;
  product.alpha = -2;
  recording.record(passes::make_matrix_product(product, tile_width_));
  recording.barrier();

  passes::AddRowNormsParameters add{};
  add.matrix = product.matrix;
  add.norms = block.scratch(row_norms_offset_);
  add.query_count = block.queries;
  add.row_count = row_count;
  add.row_pitch = pitch_;
  recording.record(passes::make_add_row_norms(add));
}

void GarciaPlan::Implementation::record_sort(Recording& recording, const Block& block, std::uint32_t row_count,
                                             std::uint64_t rows_before, std::uint64_t first_index) const {
  passes::InsertionSortParameters sort{};
  sort.nearest_keys = block.scratch(nearest_keys_offset_);
  if (tracked_) sort.nearest_indices = block.scratch(nearest_indices_offset_);
  sort.query_count = block.queries;
  sort.row_pitch = pitch_;
  sort.k = survivors_;
  sort.rank_pitch = pitch_;
  for (std::uint64_t row = 0; row < row_count; row += sort_rows_) {
    recording.barrier();
    sort.keys = block.scratch(matrix_offset_) + row * pitch_ * 4;
    sort.row_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(sort_rows_, row_count - row));
    sort.rows_before = static_cast<std::uint32_t>(rows_before + row);
    sort.first_index = static_cast<std::uint32_t>(first_index + row);
    recording.record(passes::make_insertion_sort(sort));
  }
}

void GarciaPlan::Implementation::record_raw(Recording& recording, const Block& block) const {
  const std::uint64_t first_slot = block.first * description_.k;
  passes::ExtractNearestParameters extract{};
  extract.nearest_keys = block.scratch(nearest_keys_offset_);
  if (tracked_) extract.nearest_indices = block.scratch(nearest_indices_offset_);
  if (form_ == GarciaForm::gemm) extract.norms = block.scratch(query_norms_offset_);
  extract.indices = block.buffers.indices.address() + first_slot * 4;
  extract.distances = block.buffers.distances.address() + first_slot * 4;
  extract.query_count = block.queries;
  extract.k = static_cast<std::uint32_t>(description_.k);
  extract.found = found_;
  extract.rank_pitch = pitch_;
  extract.largest_first = largest_first(description_.metric);
  extract.finish = finish_of(description_);
  extract.query_pitch = 1;
  recording.record(passes::make_extract_nearest(extract));
}

void GarciaPlan::Implementation::record_exact(Recording& recording, const Block& block,
                                              const RowsSegment& segment) const {
  const std::uint64_t keys = block.scratch(keys_offset_);
  const auto k = static_cast<std::uint32_t>(description_.k);
  passes::ReevaluateParameters reevaluate{};
  reevaluate.rows = segment.rows;
  reevaluate.queries = block.values;
  reevaluate.candidates = block.scratch(nearest_indices_offset_);
  reevaluate.keys = keys;
  reevaluate.dimensions = description_.dimensions;
  reevaluate.query_stride = description_.dimensions;
  reevaluate.count = survivors_;
  reevaluate.query_pitch = 1;
  reevaluate.rank_pitch = pitch_;
  reevaluate.k = k;
  reevaluate.keys_stride = k;
  reevaluate.first_index = static_cast<std::uint32_t>(segment.first_index);
  recording.record(passes::make_reevaluate(reevaluate, description_.metric, block.queries));
  empty_undecided(recording, block.buffers.scratch, undecided_offset_, rescue_lists_);
  recording.barrier();
  record_decode(recording, answered_metric(description_), keys, block.buffers, block.first * description_.k,
                block.queries * description_.k);
  if (!certifies()) return;

  passes::CertifyExpansionParameters certify{};
  certify.keys = keys;
  certify.screened = block.scratch(nearest_keys_offset_) + std::uint64_t{survivors_ - 1} * pitch_ * 4;
  certify.norms = block.scratch(query_norms_offset_);
  certify.largest = block.scratch(largest_offset_);
  certify.undecided = block.scratch(undecided_offset_);
  certify.query_count = block.queries;
  certify.k = found_;
  certify.keys_stride = k;
  certify.dimensions = description_.dimensions;
  certify.screened_pitch = 1;
  recording.record(passes::make_certify_expansion(certify));
  recording.barrier();
  UndecidedQueries undecided;
  undecided.numbers = certify.undecided;
  undecided.told = counts_->address() + std::uint64_t{block.first / block_queries_} * told_bytes;
  undecided.count = block.queries;
  undecided.queries = block.values;
  undecided.indices = block.buffers.indices.address() + block.first * description_.k * 4;
  undecided.distances = block.buffers.distances.address() + block.first * description_.k * 4;
  undecided.lists = block.scratch(rescue_offset_);
  undecided.list_count = rescue_lists_;
  undecided.workgroups = rescue_workgroups_;
  record_undecided(recording, description_, segment, undecided);
}

}  // namespace proxel
