#include <algorithm>

#include "proxel/passes/transpose.h"
#include "search/bindings.hpp"
#include "search/komarov_block.hpp"
#include "search/rehearsal.hpp"

namespace proxel {

using namespace search;

namespace {

constexpr std::uint64_t least_scratch_limit = std::uint64_t{1} << 20;

SearchDescription turned(const SearchDescription& description) {
  require_range("rows that ask", description.rows, 1, UINT32_MAX);
  SearchDescription other = description;
  other.rows = description.queries;
  other.queries = static_cast<std::uint32_t>(description.rows);
  return other;
}

RowsSegment segment_of(std::uint64_t address, std::uint64_t rows, std::uint32_t dimensions) {
  return {row_major_rows(address, rows, dimensions), 0};
}

void record_transpose(Recording& recording, const KomarovPlan::Layout& from, std::uint64_t from_scratch,
                      const KomarovPlan::Layout& to, std::uint64_t to_scratch) {
  passes::TransposeParameters transpose{};
  transpose.from = from_scratch + from.matrix;
  transpose.to = to_scratch + to.matrix;
  transpose.rows = from.description.queries;
  transpose.columns = to.description.queries;
  transpose.from_pitch = from.pitch;
  transpose.to_pitch = to.pitch;
  recording.record(passes::make_transpose(transpose));
}

}  // namespace

KomarovPairPlan KomarovPairPlan::make(Device& device, const SearchDescription& description, SelectionMethod selection) {
  check(description);
  KomarovPairPlan plan;
  plan.description_ = description;
  const std::uint64_t half = description.scratch_limit / 2;
  plan.shares_product_ = half >= least_scratch_limit && plan.plan(device, half, selection);
  if (!plan.shares_product_) plan.plan(device, description.scratch_limit, selection);
  plan.device_ = PlannedFor(device);
  if (plan.shares_product_) {
    rehearse(device, [&](Recording& rehearsal) {
      record_transpose(rehearsal, *plan.of_queries_.layout_, 0, *plan.of_rows_.layout_, 0);
    });
  }
  return plan;
}

// Whether either search is done with a single matrix.
bool KomarovPairPlan::plan(Device& device, std::uint64_t scratch_limit, SelectionMethod selection) {
  const auto planned = [&](SearchDescription description) {
    description.scratch_limit = scratch_limit;
    const RowsSegment rows = segment_of(0, description.rows, description.dimensions);
    return KomarovPlan::make(device, description, {&rows, 1}, selection);
  };
  of_queries_ = planned(description_);
  of_rows_ = planned(turned(description_));
  const auto whole = [](const KomarovPlan::Layout& layout) { return layout.one_part() && layout.blocks() == 1; };
  return whole(*of_queries_.layout_) && whole(*of_rows_.layout_);
}

std::uint64_t KomarovPairPlan::undecided() const {
  device_.device();
  return of_queries_.undecided() + of_rows_.undecided();
}

std::uint64_t KomarovPairPlan::scratch_bytes() const {
  const std::uint64_t one = of_queries_.scratch_bytes(), other = of_rows_.scratch_bytes();
  return shares_product_ ? align_scratch(one) + other : std::max(one, other);
}

KomarovPairRequirements KomarovPairPlan::requirements() const {
  device_.device();
  const SearchRequirements by_queries = requirements_of(description_, scratch_bytes()),
                           by_rows = requirements_of(turned(description_), 0);
  return {by_rows.queries,      by_queries.queries, by_queries.scratch, by_queries.indices,
          by_queries.distances, by_rows.indices,    by_rows.distances};
}

void KomarovPairPlan::record(Recording& recording, const KomarovPairBuffers& buffers) const {
  Bindings bindings(recording, device_.device());
  const KomarovPairRequirements needed = requirements();
  bindings.reads("rows buffer", buffers.rows, needed.rows);
  bindings.reads("queries buffer", buffers.queries, needed.queries);
  bindings.writes("scratch buffer", buffers.scratch, needed.scratch);
  bindings.writes("indices buffer", buffers.indices, needed.indices);
  bindings.writes("distances buffer", buffers.distances, needed.distances);
  bindings.writes("row indices buffer", buffers.row_indices, needed.row_indices);
  bindings.writes("row distances buffer", buffers.row_distances, needed.row_distances);

  // Of the search by queries and of that by rows.
  const RowsSegment sets[] = {segment_of(buffers.rows.address(), description_.rows, description_.dimensions),
                              segment_of(buffers.queries.address(), description_.queries, description_.dimensions)};
  const std::uint64_t behind = shares_product_ ? align_scratch(of_queries_.scratch_bytes()) : 0;
  SearchBuffers of[2];
  of[0].queries = buffers.queries;
  of[0].scratch = buffers.scratch.part(0, of_queries_.scratch_bytes());
  of[0].indices = buffers.indices;
  of[0].distances = buffers.distances;
  of[1].queries = buffers.rows;
  of[1].scratch = buffers.scratch.part(behind, of_rows_.scratch_bytes());
  of[1].indices = buffers.row_indices;
  of[1].distances = buffers.row_distances;
  if (shares_product_) return record_shared(recording, sets, of);
  of_queries_.record(recording, {&sets[0], 1}, of[0]);
  recording.barrier();
  of_rows_.record(recording, {&sets[1], 1}, of[1]);
}

void KomarovPairPlan::record_shared(Recording& recording, std::span<const RowsSegment, 2> sets,
                                    std::span<const SearchBuffers, 2> buffers) const {
  const KomarovPlan::Layout* const layouts[] = {&*of_queries_.layout_, &*of_rows_.layout_};
  recording.push_label("komarov pair");
  KomarovBlock blocks[] = {{recording, *layouts[0], sets[0], buffers[0], 0},
                           {recording, *layouts[1], sets[1], buffers[1], 0}};
  const std::uint32_t rows[] = {static_cast<std::uint32_t>(description_.rows), description_.queries};
  if (layouts[0]->expands()) {
    for (int i = 0; i < 2; ++i) recording.fill(buffers[i].scratch.part(layouts[i]->largest, 4), 0);
    recording.barrier();
  }
  for (int i = 0; i < 2; ++i) {
    blocks[i].record_query_norms();
    if (layouts[i]->expands()) blocks[i].record_row_norms(0, rows[i]);
  }
  blocks[0].record_product(0, rows[0]);
  recording.barrier();
  record_transpose(recording, *layouts[0], buffers[0].scratch.address(), *layouts[1], buffers[1].scratch.address());
  blocks[0].record_selection(0, rows[0]);
  recording.barrier();
  blocks[1].record_selection(0, rows[1]);
  recording.barrier();
  for (const KomarovBlock& block : blocks) block.record_answer();
  recording.pop_label();
}

}  // namespace proxel
