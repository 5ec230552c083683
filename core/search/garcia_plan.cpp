#include <algorithm>

#include <fmt/format.h>

#include "proxel/passes/matrix_product.h"
#include "proxel/passes/selection.hpp"
#include "search/check.hpp"
#include "search/expansion.hpp"
#include "search/garcia_plan.hpp"
#include "search/occupancy.hpp"
#include "search/rehearsal.hpp"
#include "search/undecided.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

namespace {

// An invocation moves up to k elements for every row that it inserts.
constexpr std::uint64_t most_ranks = 1024;
// The sort has one invocation per query: with fewer, rows are split instead.
constexpr std::uint64_t enough_queries = 16384;
// Kernels count the matrix's elements in 32 bits, and stride over them.
constexpr std::uint64_t most_garcia_elements = std::uint64_t{1} << 27;
constexpr std::uint32_t most_garcia_rows = largest_grid_extent / 2 * tile_rows;
// llvmpipe ends a shader's loops after 65,535 iterations, all together.
constexpr std::uint32_t most_iterations_on_host = 60000;

}  // namespace

Support garcia_supports(const Device& device, GarciaForm form, Metric metric, std::uint64_t k,
                        std::span<const RowsSegment> segments) {
  const std::uint32_t shared = device.capabilities().shared_memory_bytes;
  std::uint64_t most = most_ranks;
  // The direct form keeps nothing in shared memory.
  while (form == GarciaForm::gemm && most > 1 &&
         passes::selection_shared_bytes(passes::list_length(most), 128) > shared)
    most /= 2;
  if (k > most)
    return Support::no(Limit::neighbors,
                       fmt::format("the insertion sort of garcia-{} stops at k = {} on {}; use "
                                   "the scan",
                                   form == GarciaForm::gemm ? "gemm" : "direct", most, device.info().id));
  if (normalizes(metric))
    return Support::no(Limit::metric, fmt::format("Garcia's searches serve the exact metrics, not {}; use the "
                                                  "scan",
                                                  to_string(metric)));
  if (form == GarciaForm::direct) return Support::yes();
  if (accumulated(metric) != Metric::l2sq)
    return Support::no(Limit::metric, fmt::format("garcia-gemm expands the Euclidean distance and serves l2sq "
                                                  "and l2, not {}",
                                                  to_string(metric)));
  if (segments.size() > 1)
    return Support::no("garcia-gemm needs the database in one buffer, which is more than " + device.info().id +
                       " allocates");
  Support support = device.supports(passes::make_matrix_product(sample_product(), 8));
  if (!support) support.reason = "garcia-gemm is unsupported: " + support.reason;
  return support;
}

void GarciaPlan::Implementation::size_blocks(const Device& device) {
  const std::uint64_t limit = description_.scratch_limit;
  const bool gemm = form_ == GarciaForm::gemm;
  const bool exact = gemm && !description_.raw;

  const std::uint64_t list_bytes = description_.k * key_bytes;
  const RescueSize rescue = rescue_size(device, description_);
  rescue_lists_ = rescue.lists;
  rescue_workgroups_ = rescue.workgroups;
  workspace_bytes_ =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(limit / 16, 1u << 16, passes::matrix_product_workspace));

  // A quarter for what grows with the queries alone, half for the matrix.
  const std::uint64_t per_query = std::uint64_t{survivors_} * 8 + list_bytes + 8;
  const std::uint64_t elements = std::min(limit / 2 / 4, most_garcia_elements);
  std::uint64_t queries =
      std::clamp<std::uint64_t>(limit / 4 / per_query, 1, std::min(description_.queries, most_block_queries));
  queries = std::min(queries, std::max(elements / tile_rows, std::uint64_t{1}));
  if (const std::uint64_t fitting = elements / description_.rows; fitting < queries)
    queries = std::max(fitting / 4 * 4, std::min(queries, enough_queries));
  block_queries_ = static_cast<std::uint32_t>(queries);
  pitch_ = divide_up(block_queries_, 4u) * 4;
  // A row's norm stands beside its elements.
  const std::uint64_t fitting_rows = elements / (pitch_ + 1) / tile_rows * tile_rows;
  chunk_rows_ = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(std::min<std::uint64_t>(fitting_rows, most_garcia_rows), tile_rows,
                                divide_up<std::uint64_t>(description_.rows, tile_rows) * tile_rows));
  const bool shader_on_host = device.info().backend == BackendKind::vulkan && device.capabilities().runs_on_host;
  sort_rows_ = shader_on_host ? std::max(most_iterations_on_host / (survivors_ + 1), 1u) : chunk_rows_;

  std::uint64_t end = 0;
  const auto place = [&](std::uint64_t& offset, std::uint64_t bytes) {
    offset = end;
    end += align_scratch(bytes);
  };
  const std::uint64_t ranks_bytes = std::uint64_t{survivors_} * pitch_ * 4;
  place(nearest_keys_offset_, ranks_bytes);
  if (tracked_) place(nearest_indices_offset_, ranks_bytes);
  if (gemm) {
    place(row_norms_offset_, std::uint64_t{chunk_rows_} * 4);
    place(query_norms_offset_, std::uint64_t{block_queries_} * 4);
    place(largest_offset_, 4);
    place(workspace_offset_, workspace_bytes_);
  }
  if (exact) {
    place(keys_offset_, block_queries_ * list_bytes);
    place(undecided_offset_, undecided_bytes(rescue_lists_, block_queries_));
    undecided_offset_ += passes::undecided_ticket_bytes(rescue_lists_);
    place(rescue_offset_, rescue_lists_ * list_bytes);
  }
  place(matrix_offset_, std::uint64_t{chunk_rows_} * pitch_ * 4);
  scratch_bytes_ = end;
}

GarciaPlan GarciaPlan::make(Device& device, const SearchDescription& description, std::span<const RowsSegment> segments,
                            GarciaForm form, const GarciaOptions& options) {
  check(description);
  require_enumerator("form", form, GarciaForm::gemm);
  refuse_counted(description, "garcia");
  check_segments(description.rows, description.dimensions, segments);
  if (description.filter != FilterKind::none || description.continued)
    throw Error(ErrorCode::unsupported, description.continued ? "after" : "filter",
                "Garcia's searches return rows from the first and of all; use the scan");
  if (options.distances_only && form == GarciaForm::gemm && !description.raw)
    throw Error(ErrorCode::unsupported, "distances_only",
                "a certified search looks its candidates up; ask for the raw distances, or use garcia-direct");
  if (const Support support = garcia_supports(device, form, description.metric, description.k, segments); !support)
    throw Error(ErrorCode::unsupported, description.k > most_ranks ? "k" : "method", support.reason);

  const auto made = std::make_shared<Implementation>();
  Implementation& plan = *made;
  plan.device_ = PlannedFor(device);
  plan.description_ = description;
  plan.segments_.assign(segments.begin(), segments.end());
  plan.form_ = form;
  plan.tracked_ = !options.distances_only;
  plan.found_ = static_cast<std::uint32_t>(std::min(description.k, description.rows));
  plan.survivors_ = plan.found_;
  if (form == GarciaForm::gemm && !description.raw) plan.survivors_ = survivors_of(plan.found_, description.rows);
  plan.tile_width_ = product_tile_width(device.capabilities(), description.queries);
  plan.size_blocks(device);

  if (plan.certifies())
    plan.counts_ =
        device.create_buffer(told_bytes * divide_up(description.queries, plan.block_queries_), MemoryKind::readback);

  RehearsalBuffer nowhere(UINT64_MAX);
  const SearchBuffers buffers = rehearsal_buffers(nowhere);
  rehearse(device, [&](Recording& rehearsal) { plan.record(rehearsal, segments, buffers); });
  GarciaPlan result;
  result.implementation_ = Planned<Implementation>(made);
  return result;
}

std::uint64_t GarciaPlan::scratch_bytes() const { return implementation_->scratch_bytes_; }
std::uint64_t GarciaPlan::undecided() const { return implementation_->undecided(); }

void GarciaPlan::record(Recording& recording, std::span<const RowsSegment> segments,
                        const SearchBuffers& buffers) const {
  implementation_->record(recording, segments, buffers);
}

std::uint64_t GarciaPlan::Implementation::undecided() const {
  device_.device();
  return counts_ ? sum_of_told(*counts_, divide_up(description_.queries, block_queries_)) : 0;
}

}  // namespace proxel
