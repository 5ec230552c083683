#include <algorithm>

#include "proxel/passes/divide_undecided.h"
#include "proxel/passes/screen_bound.h"
#include "proxel/passes/screen_canonical.h"
#include "proxel/passes/screen_code_tiles.h"
#include "proxel/passes/screen_codes.h"
#include "proxel/passes/screen_difference_tiles.h"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_mask.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_refine.h"
#include "proxel/passes/screen_threshold.h"
#include "search/bindings.hpp"
#include "search/check.hpp"
#include "search/decode.hpp"
#include "search/screened_plan.hpp"
#include "search/undecided.hpp"

namespace proxel {

using namespace search;
using passes::ScreenPurpose;
using passes::tile_rows;

void ScreenedPlan::Implementation::record(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers,
                                          const BufferView& told) const {
  Bindings bindings(recording, device_.device());
  check(bindings, requirements_of(description_, scratch_bytes_), buffers);
  if (told.buffer) bindings.writes("told", told, {told_bytes, 4, by_kernels});
  if (!description_.copy_alone) bindings.reads(rows, rows_, description_.dimensions);
  recording.push_label("screened");
  if (!packs_zeros()) recording.fill(buffers.scratch.part(0, zeroed_bytes_), 0);
  if (leaves_undecided() && !collects_alone())
    for (const BufferView& answer : {buffers.indices, buffers.distances})
      recording.fill(answer.part(0, description_.queries * description_.k * 4), 0xFF);
  if (masks() != 0) record_mask(recording, rows, buffers);
  if (numbers_) {
    recording.copy(buffers.count.part(0, 4), BufferView(*numbers_, 0, 4));
    recording.barrier();
  }
  for (Block block; block.first < description_.queries; block.first += block.queries, block.again = true) {
    block.queries = std::min(lists_.slots, description_.queries - block.first);
    if (block.again) recording.barrier();
    if (coded())
      record_codes(recording, rows, buffers, block);
    else if (screened_)
      record_screened(recording, rows, buffers, block);
    else
      record_canonical(recording, rows, buffers, block, lists_, listed(), false);
  }
  if (divides()) record_division(recording, buffers);
  if (rescues_)
    for (Block block{.first = scanned_first_}; block.first < description_.queries;
         block.first += block.queries, block.again = true) {
      block.queries = std::min(rescue_.slots, description_.queries - block.first);
      recording.barrier();
      record_canonical(recording, rows, buffers, block, rescue_, rescued(buffers.scratch.address()), true);
    }
  recording.barrier();
  if (leaves_undecided()) {
    // No pass follows that could tell.
    for (unsigned rung = 0; told.buffer && rung < 2; ++rung)
      recording.copy(buffers.scratch.part(undecided_[rung], 4), told.part(4 * rung, 4));
    return recording.pop_label();
  }
  const std::uint64_t scratch = buffers.scratch.address();
  UndecidedQueries undecided;
  undecided.numbers = scratch + undecided_[1];
  if (rescues_) undecided.few = rescued(scratch);
  undecided.most_few = scanned_first_;
  undecided.count = description_.queries;
  undecided.queries = buffers.queries.address();
  undecided.indices = buffers.indices.address();
  undecided.distances = buffers.distances.address();
  undecided.filter = filter_of(buffers, 0);
  undecided.filter_stride = filter_stride(description_);
  undecided.lists = scratch + scan_offset_;
  undecided.list_count = scan_lists_;
  undecided.workgroups = scan_workgroups_;
  undecided.round = scan_round_;
  undecided.told = told.address();
  record_undecided(recording, description_, {scanned_rows(rows), 0}, undecided);
  recording.pop_label();
}

std::uint64_t ScreenedPlan::Implementation::filter_of(const SearchBuffers& buffers, std::uint32_t query) const {
  if (description_.filter == FilterKind::none) return 0;
  return buffers.filter.address() + std::uint64_t{query} * filter_stride(description_) * 4;
}

ScreenedPlan::Implementation::CanonicalRows ScreenedPlan::Implementation::canonical_rows(const passes::Rows& rows,
                                                                                         bool rescue) const {
  if (integers() && !rescue) {
    CanonicalRows packed{rows,
                         screened_->operand() == ScreenOperand::uint8 ? passes::element_uint8 : passes::element_int8};
    packed.rows.address = screened_->packed().address();
    return packed;
  }
  if (!screened_ || !screened_->row_major()) return {rows};
  return {row_major_rows(screened_->row_major()->address(), rows.count, screened_->row_major_stride())};
}

passes::Rows ScreenedPlan::Implementation::scanned_rows(const passes::Rows& rows) const {
  return divides() ? canonical_rows(rows, true).rows : rows;
}

void ScreenedPlan::Implementation::record_mask(Recording& recording, const passes::Rows& rows,
                                               const SearchBuffers& buffers) const {
  passes::ScreenMaskParameters mask{};
  mask.biases = screened_->biases().address();
  mask.filter_bits = buffers.filter.address();
  mask.masked = buffers.scratch.address() + biases_offset_;
  mask.row_count = rows.count;
  mask.nothing = nothing_of(screened_->operand());
  // What follows packs queries first, and waits for both.
  recording.record(passes::make_screen_mask(mask, masks()));
}

void ScreenedPlan::Implementation::record_division(Recording& recording, const SearchBuffers& buffers) const {
  const std::uint64_t scratch = buffers.scratch.address();
  passes::DivideUndecidedParameters divide{};
  divide.undecided = scratch + undecided_[0];
  divide.sparse = scratch + undecided_[1];
  divide.others = rescued(scratch);
  divide.filter_bits = buffers.filter.address();
  divide.filter_stride = filter_stride(description_);
  divide.row_count = rows_.count;
  divide.most = most_sparse_rows();
  recording.barrier();
  recording.record(passes::make_divide_undecided(divide, description_.queries));
}

void ScreenedPlan::Implementation::pack_queries(Recording& recording, const SearchBuffers& buffers,
                                                const Block& block) const {
  const std::uint64_t scratch = buffers.scratch.address();
  passes::ScreenPackParameters pack{};
  pack.rows = row_major_rows(buffers.queries.address() + std::uint64_t{block.first} * description_.dimensions * 4,
                             block.queries, description_.dimensions);
  pack.frame = screened_->frame().address();
  pack.packed = scratch + queries_offset_;
  pack.bounds = scratch + query_bounds_offset_;
  pack.dimensions = description_.dimensions;
  pack.depth_blocks = screened_->depth_blocks();
  if (packs_zeros() && !block.again) {
    pack.zeroed = scratch;
    pack.zeroed_words = static_cast<std::uint32_t>(zeroed_bytes_ / 4);
  }
  const std::uint32_t tiles = divide_up(block.queries, tile_rows);
  const Metric metric = screened_->metric();
  if (holds_codes())
    recording.record(passes::make_screen_codes(codes_of(pack), metric, true, tiles));
  else if (integers())
    recording.record(passes::make_screen_integers(integers_of(pack, screened_->operand()), metric, true, tiles));
  else
    recording.record(passes::make_screen_pack(pack, metric, true, screened_->split() && !half_sums(), tiles, sums()));
  record_counts(recording, buffers, block, lists_);
  recording.barrier();
}

void ScreenedPlan::Implementation::record_screened(Recording& recording, const passes::Rows& rows,
                                                   const SearchBuffers& buffers, const Block& block) const {
  const std::uint64_t scratch = buffers.scratch.address(), query_bounds = scratch + query_bounds_offset_;
  pack_queries(recording, buffers, block);

  passes::ScreenTilesParameters screen{};
  screen.rows = screened_->packed().address();
  screen.biases = masks() == 0 ? screened_->biases().address() : scratch + biases_offset_;
  if (masks() == 0) screen.filter_bits = filter_of(buffers, block.first);
  screen.row_bounds = screened_->bounds().address();
  screen.queries = scratch + queries_offset_;
  screen.query_bounds = query_bounds;
  screen.thresholds = scratch + thresholds_offset_;
  screen.found = scratch + found_offset_;
  screen.counts = scratch + lists_.counts;
  screen.depth_blocks = screened_->depth_blocks();
  screen.depth_steps = by_differences() ? screened_->words() : depth_steps();
  screen.row_count = rows.count;
  screen.query_count = block.queries;
  screen.splits = lists_.splits;
  screen.capacity = lists_.capacity;
  screen.groups = sample_.groups();
  screen.selected = listed();
  screen.first_selected = block.first;
  const auto record_tiles = [&](passes::ScreenTilesParameters of, ScreenPurpose purpose, std::uint32_t step,
                                std::uint32_t count) {
    of.tile_step = step;
    of.tile_count = count;
    recording.record(
        by_differences()
            ? passes::make_screen_difference_tiles(of, screened_->metric(), purpose, sample_.groups_per_tile)
            : passes::make_screen_tiles(of, values_of(screened_->operand()), arithmetic_, purpose,
                                        sample_.groups_per_tile, workgroup_queries_));
    recording.barrier();
  };
  if (!unsampled()) {
    passes::ScreenTilesParameters sample = screen;
    if (sample_.of_rows) {
      const ScreenedRows::Sample of = screened_->sample();
      sample.rows = of.packed;
      sample.biases = of.biases;
      sample.row_bounds = of.bounds;
    }
    record_tiles(sample, ScreenPurpose::sample, sample_.step, sample_.tiles);
    record_threshold(recording, buffers, block, sample_, query_bounds, listed());
  }
  if (bounded()) record_bound(recording, buffers, block, query_bounds);
  record_tiles(screen, ScreenPurpose::collect, 1, divide_up(rows.count, tile_rows));
  record_refine(recording, rows, buffers, block, lists_, listed(), query_bounds, false);
}

void ScreenedPlan::Implementation::record_codes(Recording& recording, const passes::Rows& rows,
                                                const SearchBuffers& buffers, const Block& block) const {
  const std::uint64_t scratch = buffers.scratch.address(), query_bounds = scratch + query_bounds_offset_;
  pack_queries(recording, buffers, block);

  passes::ScreenCodeTilesParameters screen{};
  screen.rows = screened_->packed().address();
  screen.biases = masks() == 0 ? screened_->biases().address() : scratch + biases_offset_;
  if (masks() > 1) screen.bias_stride = divide_up(rows.count, tile_rows);
  screen.row_bounds = screened_->bounds().address();
  screen.queries = scratch + queries_offset_;
  screen.query_bounds = query_bounds;
  screen.thresholds = scratch + thresholds_offset_;
  screen.found = scratch + found_offset_;
  screen.counts = scratch + lists_.counts;
  screen.words = screened_->words();
  screen.query_count = block.queries;
  screen.capacity = lists_.capacity;
  screen.groups = sample_.groups();
  screen.groups_per_tile = sample_.groups_per_tile;
  screen.selected = listed();
  screen.first_selected = block.first;
  const auto record_tiles = [&](ScreenPurpose purpose, std::uint32_t step, std::uint32_t count) {
    screen.tile_step = step;
    screen.tile_count = count;
    recording.record(passes::make_screen_code_tiles(screen, screened_->metric(), purpose,
                                                    std::min(code_workgroups_, divide_up(count, 4u))));
    recording.barrier();
  };
  record_tiles(ScreenPurpose::sample, sample_.step, sample_.tiles);
  record_threshold(recording, buffers, block, sample_, query_bounds, listed());
  record_tiles(ScreenPurpose::collect, 1, divide_up(rows.count, tile_rows));
  if (!collects_alone()) record_refine(recording, rows, buffers, block, lists_, listed(), query_bounds, false);
}

void ScreenedPlan::Implementation::record_canonical(Recording& recording, const passes::Rows& rows,
                                                    const SearchBuffers& buffers, const Block& block,
                                                    const Lists& lists, std::uint64_t selected, bool rescue) const {
  const std::uint64_t scratch = buffers.scratch.address();
  passes::ScreenCanonicalParameters screen{};
  screen.rows = rows;
  screen.queries = buffers.queries.address();
  screen.selected = selected;
  screen.thresholds = scratch + thresholds_offset_;
  screen.found = scratch + found_offset_;
  screen.counts = scratch + lists.counts;
  screen.dimensions = screen.query_stride = description_.dimensions;
  screen.slots = block.queries;
  screen.splits = lists.splits;
  screen.capacity = lists.capacity;
  if (selected != 0)
    screen.first_selected = block.first;
  else
    screen.queries += std::uint64_t{block.first} * description_.dimensions * 4;
  screen.filter_bits = filter_of(buffers, selected != 0 ? 0 : block.first);
  screen.filter_stride = filter_stride(description_);
  record_counts(recording, buffers, block, lists);
  const auto record_tiles = [&](ScreenPurpose purpose, std::uint32_t step, std::uint32_t count) {
    screen.tile_step = step;
    screen.tile_count = count;
    recording.record(passes::make_screen_canonical(screen, description_.metric, purpose, canonical_width, rescue));
    recording.barrier();
  };
  record_tiles(ScreenPurpose::sample, certain_.step, certain_.tiles);
  record_threshold(recording, buffers, block, certain_, 0, selected);
  record_tiles(ScreenPurpose::collect, 1, divide_up(rows.count, tile_rows));
  record_refine(recording, rows, buffers, block, lists, selected, 0, rescue);
}

void ScreenedPlan::Implementation::record_counts(Recording& recording, const SearchBuffers& buffers, const Block& block,
                                                 const Lists& lists) const {
  if (block.again) recording.fill(buffers.scratch.part(lists.counts, lists.count_bytes()), 0);
}

void ScreenedPlan::Implementation::record_bound(Recording& recording, const SearchBuffers& buffers, const Block& block,
                                                std::uint64_t query_bounds) const {
  const std::uint64_t scratch = buffers.scratch.address();
  passes::ScreenBoundParameters bound{};
  bound.bounds = buffers.bounds.address() + std::uint64_t{block.first} * 4;
  bound.query_bounds = query_bounds;
  if (!integers()) bound.frame = screened_->frame().address();
  bound.queries = buffers.queries.address() + std::uint64_t{block.first} * description_.dimensions * 4;
  bound.thresholds = scratch + thresholds_offset_;
  bound.query_count = block.queries;
  bound.dimensions = description_.dimensions;
  bound.alone = unsampled() ? 1 : 0;
  if (integers()) bound.origin = integers_of({}, screened_->operand()).origin;
  recording.record(passes::make_screen_bound(bound, screened_->metric()));
  recording.barrier();
}

void ScreenedPlan::Implementation::record_threshold(Recording& recording, const SearchBuffers& buffers,
                                                    const Block& block, const Sample& sample,
                                                    std::uint64_t query_bounds, std::uint64_t selected) const {
  const std::uint64_t scratch = buffers.scratch.address();
  passes::ScreenThresholdParameters threshold{};
  threshold.lower_bounds = scratch + found_offset_;
  threshold.query_bounds = query_bounds;
  threshold.thresholds = scratch + thresholds_offset_;
  threshold.selected = selected;
  threshold.first_selected = selected != 0 ? block.first : 0;
  threshold.query_count = block.queries;
  threshold.groups = sample.groups();
  threshold.rank = sample.rank;
  threshold.estimated = sample.estimated ? 1 : 0;
  recording.record(passes::make_screen_threshold(threshold, many() ? many_.workgroup : 0,
                                                 std::min(query_workgroup_, usual_query_workgroup)));
  recording.barrier();
}

void ScreenedPlan::Implementation::record_refine(Recording& recording, const passes::Rows& rows,
                                                 const SearchBuffers& buffers, const Block& block, const Lists& lists,
                                                 std::uint64_t selected, std::uint64_t query_bounds,
                                                 bool rescue) const {
  if (many()) {
    record_survivors(recording, rows, buffers, block, lists, selected, query_bounds, rescue);
    return;
  }
  const std::uint64_t scratch = buffers.scratch.address();
  const std::uint64_t query_bytes = std::uint64_t{description_.dimensions} * 4;
  const std::uint64_t result_bytes = description_.k * 4;
  passes::ScreenRefineParameters refine{};
  const CanonicalRows evaluated = canonical_rows(rows, rescue);
  refine.rows = evaluated.rows;
  refine.selected = selected;
  refine.row_bounds = query_bounds != 0 ? screened_->bounds().address() : 0;
  refine.undecided = undecided_behind(scratch, rescue);
  refine.dimensions = description_.dimensions;
  refine.splits = lists.splits;
  refine.capacity = lists.capacity;
  refine.k = static_cast<std::uint32_t>(description_.k);
  refine.finish = finish_of(description_);
  refine.query_count = block.queries;
  // Without a selection, results go by the number within the block.
  const std::uint64_t first = selected != 0 ? 0 : block.first;
  refine.queries = buffers.queries.address() + first * query_bytes;
  refine.query_bounds = query_bounds;
  refine.found = scratch + found_offset_;
  refine.counts = scratch + lists.counts;
  refine.indices = buffers.indices.address() + first * result_bytes;
  refine.distances = buffers.distances.address() + first * result_bytes;
  refine.first_query = static_cast<std::uint32_t>(first);
  refine.first_selected = block.first;
  recording.record(passes::make_screen_refine(refine, description_.metric, pool_, rescue, least_survivors_,
                                              evaluated.element, query_workgroup_));
}

}  // namespace proxel
