#include <algorithm>

#include <fmt/format.h>

#include "proxel/passes/matrix_product.h"
#include "search/check.hpp"
#include "search/expansion.hpp"
#include "search/komarov_layout.hpp"
#include "search/occupancy.hpp"
#include "search/rehearsal.hpp"
#include "search/undecided.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

namespace {

// The longest list that canonical re-evaluation sorts.
constexpr std::uint64_t most_exact_ranks = 1024;
// Queries that the paper needs to fill its GPU, and what fills one of any size.
constexpr std::uint64_t enough_workgroups = 128;
constexpr std::uint64_t workgroups_per_multiprocessor = 4;
constexpr std::uint64_t enough_subgroups = 1024;
constexpr std::uint64_t subgroups_per_multiprocessor = 32;
constexpr std::uint64_t most_komarov_rows = largest_grid_extent / 2 * tile_rows;
// llvmpipe ends loops silently (quick_multi_select.cpp).
constexpr std::uint64_t most_komarov_rows_on_host = 16384;
constexpr std::uint64_t most_komarov_elements = std::uint64_t{1} << 30;

}  // namespace

void KomarovPlan::Layout::size(const Device& device, SelectionMethod selection) {
  const Capabilities& capabilities = device.capabilities();
  const std::uint64_t multiprocessors = std::max(capabilities.multiprocessors, 16u);
  // A quarter each for the matrix, for auxiliary memory, and for what grows
  // with the queries alone.
  const std::uint64_t quarter = description.scratch_limit / 4;
  constexpr std::uint64_t auxiliary_bytes = 2 * key_bytes;  // per element in work

  found = static_cast<std::uint32_t>(std::min(description.k, description.rows));
  survivors = description.raw ? found : survivors_of(found, description.rows);
  tile_width = product_tile_width(capabilities, description.queries);

  // Parts as long as leave enough queries to work on at once, but not so short
  // that carrying the nearest from part to part is most of the work.
  const std::uint64_t workers = std::min<std::uint64_t>(
      description.queries, std::max(enough_workgroups, multiprocessors * workgroups_per_multiprocessor));
  const std::uint64_t longest = quarter / auxiliary_bytes;
  std::uint64_t columns = std::max(longest / workers, std::min(4 * std::uint64_t{survivors}, longest));
  columns = std::max<std::uint64_t>(columns / tile_rows * tile_rows, tile_rows);
  columns = std::min(columns, capabilities.runs_on_host ? most_komarov_rows_on_host : most_komarov_rows);
  chunk_rows = static_cast<std::uint32_t>(std::min(columns, description.rows));
  pitch = divide_up(chunk_rows, 4u) * 4;
  const std::uint32_t of_part = std::min(survivors, chunk_rows);
  pool_stride = one_part() ? survivors : survivors + of_part;

  const std::uint64_t pool_count = one_part() ? 1 : 2;
  const std::uint64_t per_query = pool_count * pool_stride * 8 + description.k * key_bytes + 8;
  const std::uint64_t elements = std::min(quarter / 4, most_komarov_elements);
  block_queries = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      std::min(elements / pitch, quarter / per_query), 1, std::min(description.queries, most_block_queries)));

  const std::uint64_t at_once = std::min<std::uint64_t>(block_queries, longest / chunk_rows);
  by_subgroup = selection == SelectionMethod::quick_multi_select_subgroup ||
                (selection == SelectionMethod::automatic &&
                 at_once >= std::max(enough_subgroups, multiprocessors * subgroups_per_multiprocessor));
  select = QuickMultiSelect(device, {by_subgroup, block_queries, chunk_rows, of_part}, quarter);
  if (!one_part()) merge = QuickMultiSelect(device, {by_subgroup, block_queries, pool_stride, survivors}, quarter);

  rescue = rescue_size(device, description);
  workspace_bytes = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(description.scratch_limit / 16, 1u << 16, passes::matrix_product_workspace));

  std::uint64_t end = 0;
  const auto place = [&](std::uint64_t& offset, std::uint64_t bytes) {
    offset = end;
    end += align_scratch(bytes);
  };
  const std::uint64_t queries = block_queries;
  for (std::uint64_t i = 0; i < pool_count; ++i) {
    place(pools[i].values, queries * pool_stride * 4);
    place(pools[i].indices, queries * pool_stride * 4);
  }
  place(row_norms, std::uint64_t{chunk_rows} * 4);
  place(query_norms, queries * 4);
  place(largest, 4);
  place(workspace, workspace_bytes);
  place(auxiliary, std::max(select.scratch_bytes(), merge.scratch_bytes()));
  if (!description.raw) {
    place(keys, queries * description.k * key_bytes);
    place(undecided, undecided_bytes(rescue.lists, queries));
    undecided += passes::undecided_ticket_bytes(rescue.lists);
    place(rescue_lists, rescue.lists * description.k * key_bytes);
  }
  place(matrix, queries * pitch * 4);
  scratch_bytes = end;
}

std::uint64_t KomarovPlan::scratch_bytes() const { return layout_->scratch_bytes; }
std::uint32_t KomarovPlan::block_queries() const { return layout_->block_queries; }
std::uint32_t KomarovPlan::chunk_rows() const { return layout_->chunk_rows; }
std::uint64_t KomarovPlan::undecided() const {
  return layout_->certifies() ? sum_of_told(*layout_->counts, layout_->blocks()) : 0;
}
SelectionMethod KomarovPlan::selection() const {
  return layout_->by_subgroup ? SelectionMethod::quick_multi_select_subgroup
                              : SelectionMethod::quick_multi_select_workgroup;
}

Support komarov_supports(const Device& device, const SearchDescription& description,
                         std::span<const RowsSegment> segments, SelectionMethod selection) {
  require_metric(description.metric);
  const Metric metric = description.metric;
  if (accumulated(metric) != Metric::l2sq && !normalizes(metric))
    return Support::no(Limit::metric,
                       fmt::format("komarov serves l2sq, l2, cosine and pearson, not {}", to_string(metric)));
  if (!description.raw && description.k > most_exact_ranks)
    return Support::no(Limit::neighbors, fmt::format("komarov stops at k = {}, because that is the longest list that "
                                                     "it evaluates canonically; use the scan",
                                                     most_exact_ranks));
  if (segments.size() > 1)
    return Support::no("komarov needs the database in one buffer, which is more than " + device.info().id +
                       " allocates");
  Support support = device.supports(passes::make_matrix_product(sample_product(), 8));
  if (support) {
    KomarovPlan::Layout layout;
    layout.description = description;
    layout.size(device, selection);
    const std::uint32_t of_part = std::min(layout.survivors, layout.chunk_rows);
    support = QuickMultiSelect::supports(device, {layout.by_subgroup, 1, layout.chunk_rows, of_part});
    if (support)
      support = QuickMultiSelect::supports(device, {layout.by_subgroup, 1, layout.pool_stride, layout.survivors});
  }
  if (!support) support.reason = "komarov is unsupported: " + support.reason;
  return support;
}

KomarovPlan KomarovPlan::make(Device& device, const SearchDescription& description,
                              std::span<const RowsSegment> segments, SelectionMethod selection) {
  check(description);
  refuse_counted(description, "komarov");
  check_segments(description.rows, description.dimensions, segments);
  if (selection != SelectionMethod::automatic && selection != SelectionMethod::quick_multi_select_subgroup &&
      selection != SelectionMethod::quick_multi_select_workgroup)
    throw Error(ErrorCode::invalid_argument, "selection",
                "automatic and the two forms of quick multi-select are allowed");
  if (description.filter != FilterKind::none || description.continued)
    throw Error(ErrorCode::unsupported, description.continued ? "after" : "filter", "komarov has none; use the scan");
  if (const Support support = komarov_supports(device, description, segments, selection); !support)
    throw Error(ErrorCode::unsupported, !description.raw && description.k > most_exact_ranks ? "k" : "method",
                support.reason);

  const auto layout = std::make_shared<Layout>();
  layout->planned_for = PlannedFor(device);
  layout->description = description;
  layout->segments.assign(segments.begin(), segments.end());
  layout->size(device, selection);
  if (layout->certifies()) layout->counts = device.create_buffer(layout->blocks() * told_bytes, MemoryKind::readback);
  KomarovPlan plan;
  plan.layout_ = Planned<Layout>(layout);
  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(device, [&](Recording& rehearsal) { plan.record(rehearsal, segments, rehearsal_buffers(nowhere)); });
  return plan;
}

}  // namespace proxel
