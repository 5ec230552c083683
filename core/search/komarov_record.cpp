#include <algorithm>

#include "proxel/passes/certify_expansion.h"
#include "proxel/passes/extract_nearest.h"
#include "proxel/passes/matrix_product.h"
#include "proxel/passes/quick_multi_select_subgroup.h"
#include "proxel/passes/reevaluate.h"
#include "proxel/passes/squared_norms.h"
#include "search/bindings.hpp"
#include "search/decode.hpp"
#include "search/komarov_block.hpp"

namespace proxel {

namespace search {

void KomarovBlock::record_query_norms() const {
  if (!layout_.expands()) {
    // The bound of a product of normalised values: certify_expansion's with no
    // norm to add and the sum of the norms taken as 0.747, of which it makes
    // 3 d 2^-23; such a product errs, like the canonical one, by d 2^-24 at most.
    recording_.fill(buffers_.scratch.part(layout_.query_norms, std::uint64_t{queries_} * 4), 0);
    recording_.fill(buffers_.scratch.part(layout_.largest, 4), 0x3F);
    return;
  }
  passes::SquaredNormsParameters norms{};
  norms.rows = row_major_rows(values_, queries_, layout_.description.dimensions);
  norms.norms = scratch(layout_.query_norms);
  norms.dimensions = layout_.description.dimensions;
  norms.row_count = queries_;
  recording_.record(passes::make_squared_norms(norms));
}

void KomarovBlock::record_row_norms(std::uint32_t first_row, std::uint32_t row_count) const {
  passes::SquaredNormsParameters norms{};
  norms.rows = segment_.rows;
  norms.norms = scratch(layout_.row_norms);
  norms.largest = scratch(layout_.largest);
  norms.dimensions = layout_.description.dimensions;
  norms.first_row = first_row;
  norms.row_count = row_count;
  recording_.record(passes::make_squared_norms(norms));
}

void KomarovBlock::record_product(std::uint32_t first_row, std::uint32_t row_count) const {
  passes::MatrixProductParameters product{};
  product.rows = segment_.rows;
  product.queries = values_;
  product.matrix = scratch(layout_.matrix);
  product.workspace = scratch(layout_.workspace);
  product.dimensions = layout_.description.dimensions;
  product.query_count = queries_;
  product.first_row = first_row;
  product.row_count = row_count;
  product.query_stride = layout_.description.dimensions;
  product.query_pitch = layout_.pitch;
  product.row_pitch = 1;
  product.workspace_bytes = layout_.workspace_bytes;
  product.alpha = layout_.expands() ? -2.0f : 1.0f;
  recording_.record(passes::make_matrix_product(product, layout_.tile_width));
}

void KomarovBlock::record_part(std::uint32_t first_row, std::uint32_t row_count) {
  // The norms of a single part stay from block to block.
  if (layout_.expands() && (first_ == 0 || !layout_.one_part())) record_row_norms(first_row, row_count);
  record_product(first_row, row_count);
  recording_.barrier();
  record_selection(first_row, row_count);
  recording_.barrier();
}

void KomarovBlock::record_selection(std::uint32_t first_row, std::uint32_t row_count) {
  const KomarovPlan::Layout::Pool& pool = layout_.pools[pool_];
  const std::uint32_t of_part = std::min(layout_.survivors, row_count);
  const bool last = first_row + std::uint64_t{row_count} == layout_.description.rows;
  passes::QuickMultiSelectParameters select{};
  select.values = scratch(layout_.matrix);
  if (layout_.expands()) select.offsets = scratch(layout_.row_norms);
  select.auxiliary = scratch(layout_.auxiliary);
  select.indices = scratch(pool.indices) + held_ * 4;
  select.selected = scratch(pool.values) + held_ * 4;
  select.rows = queries_;
  select.columns = row_count;
  select.row_stride = layout_.pitch;
  select.k = of_part;
  select.selected_stride = layout_.pool_stride;
  select.first_index = static_cast<std::uint32_t>(segment_.first_index + first_row);
  select.largest_first = !layout_.expands();
  select.as_keys = held_ == 0 && last;
  layout_.select.record(recording_, select);
  if (held_ == 0) {
    held_ = of_part;
    return;
  }
  recording_.barrier();
  record_merge(of_part, last);
}

void KomarovBlock::record_merge(std::uint32_t of_part, bool last) {
  const KomarovPlan::Layout::Pool& from = layout_.pools[pool_];
  const KomarovPlan::Layout::Pool& to = layout_.pools[1 - pool_];
  passes::QuickMultiSelectParameters merge{};
  merge.values = scratch(from.values);
  merge.payload = scratch(from.indices);
  merge.auxiliary = scratch(layout_.auxiliary);
  merge.indices = scratch(to.indices);
  merge.selected = scratch(to.values);
  merge.rows = queries_;
  merge.columns = held_ + of_part;
  merge.row_stride = layout_.pool_stride;
  merge.k = std::min(layout_.survivors, held_ + of_part);
  merge.selected_stride = layout_.pool_stride;
  merge.largest_first = !layout_.expands();
  merge.as_keys = last;
  layout_.merge.record(recording_, merge);
  held_ = merge.k;
  pool_ = 1 - pool_;
}

void KomarovBlock::record_raw() const {
  const SearchDescription& description = layout_.description;
  const KomarovPlan::Layout::Pool& pool = layout_.pools[pool_];
  passes::ExtractNearestParameters extract{};
  extract.nearest_keys = scratch(pool.values);
  extract.nearest_indices = scratch(pool.indices);
  if (layout_.expands()) extract.norms = scratch(layout_.query_norms);
  extract.indices = buffers_.indices.address() + first_slot() * 4;
  extract.distances = buffers_.distances.address() + first_slot() * 4;
  extract.query_count = queries_;
  extract.k = static_cast<std::uint32_t>(description.k);
  extract.found = layout_.found;
  extract.rank_pitch = 1;
  extract.query_pitch = layout_.pool_stride;
  extract.largest_first = !layout_.expands();
  extract.finish = finish_of(description);
  recording_.record(passes::make_extract_nearest(extract));
}

void KomarovBlock::record_exact() const {
  const SearchDescription& description = layout_.description;
  const KomarovPlan::Layout::Pool& pool = layout_.pools[pool_];
  const std::uint64_t keys = scratch(layout_.keys);
  const auto k = static_cast<std::uint32_t>(description.k);
  passes::ReevaluateParameters reevaluate{};
  reevaluate.rows = segment_.rows;
  reevaluate.queries = values_;
  reevaluate.candidates = scratch(pool.indices);
  reevaluate.keys = keys;
  reevaluate.dimensions = description.dimensions;
  reevaluate.query_stride = description.dimensions;
  reevaluate.count = layout_.survivors;
  reevaluate.query_pitch = layout_.pool_stride;
  reevaluate.rank_pitch = 1;
  reevaluate.k = k;
  reevaluate.keys_stride = k;
  reevaluate.first_index = static_cast<std::uint32_t>(segment_.first_index);
  recording_.record(passes::make_reevaluate(reevaluate, description.metric, queries_));
  empty_undecided(recording_, buffers_.scratch, layout_.undecided, layout_.rescue.lists);
  recording_.barrier();
  record_decode(recording_, answered_metric(description), keys, buffers_, first_slot(), queries_ * description.k);
  if (!layout_.certifies()) return;

  passes::CertifyExpansionParameters certify{};
  certify.keys = keys;
  certify.screened = scratch(pool.values) + std::uint64_t{layout_.survivors - 1} * 4;
  certify.norms = scratch(layout_.query_norms);
  certify.largest = scratch(layout_.largest);
  certify.undecided = scratch(layout_.undecided);
  certify.query_count = queries_;
  certify.k = layout_.found;
  certify.keys_stride = k;
  certify.dimensions = description.dimensions;
  certify.screened_pitch = layout_.pool_stride;
  recording_.record(passes::make_certify_expansion(certify));
  recording_.barrier();
  record_rescue(certify.undecided);
}

void KomarovBlock::record_rescue(std::uint64_t numbers) const {
  UndecidedQueries undecided;
  undecided.numbers = numbers;
  undecided.told = layout_.counts->address() + std::uint64_t{first_ / layout_.block_queries} * told_bytes;
  undecided.count = queries_;
  undecided.queries = values_;
  undecided.indices = buffers_.indices.address() + first_slot() * 4;
  undecided.distances = buffers_.distances.address() + first_slot() * 4;
  undecided.lists = scratch(layout_.rescue_lists);
  undecided.list_count = layout_.rescue.lists;
  undecided.workgroups = layout_.rescue.workgroups;
  record_undecided(recording_, layout_.description, segment_, undecided);
}

void KomarovBlock::record_answer() const {
  if (layout_.description.raw)
    record_raw();
  else
    record_exact();
}

}  // namespace search

using namespace search;

void KomarovPlan::record(Recording& recording, std::span<const RowsSegment> segments,
                         const SearchBuffers& buffers) const {
  const Layout& layout = *layout_;
  Bindings bindings(recording, layout.planned_for.device());
  check(bindings, requirements_of(layout.description, layout.scratch_bytes), buffers);
  bindings.reads(segments, layout.segments, layout.description.dimensions);
  const RowsSegment& segment = segments.front();
  recording.push_label("komarov");
  if (layout.expands()) recording.fill(buffers.scratch.part(layout.largest, 4), 0);
  for (std::uint32_t first = 0; first < layout.description.queries; first += layout.block_queries) {
    recording.barrier();  // the block before still uses the scratch memory
    KomarovBlock block(recording, layout, segment, buffers, first);
    block.record_query_norms();
    for (std::uint64_t row = 0; row < segment.rows.count; row += layout.chunk_rows)
      block.record_part(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                                             layout.chunk_rows, segment.rows.count - row)));
    block.record_answer();
  }
  recording.pop_label();
}

}  // namespace proxel
