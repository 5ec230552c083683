#include <algorithm>

#include <fmt/format.h>

#include "passes/decoded_distance.hpp"
#include "proxel/passes/merge_lists.h"
#include "proxel/passes/texel_accumulate.h"
#include "proxel/passes/texel_collect.h"
#include "proxel/passes/texel_minimum.h"
#include "proxel/passes/texel_reduce.h"
#include "search/after.hpp"
#include "search/bindings.hpp"
#include "search/decode.hpp"
#include "search/rehearsal.hpp"
#include "search/texel_plan.hpp"

namespace proxel {

using namespace search;

namespace {

// The keys of all blocks are merged by lists of at most this length.
constexpr std::uint64_t most_ranks = 1024;
// Reductions that a pass does at once by choice: 256 texels become one.
constexpr std::uint32_t reductions_at_once = 4;
// Texels that one workgroup reduces to one in a single pass.
constexpr std::uint64_t texels_for_one_workgroup = 1024;

}  // namespace

struct TexelPlan::Implementation::Round {
  std::uint32_t queries = 0;
  std::uint64_t query_address = 0;
  std::uint64_t after = 0;          // keys to continue behind, one per query; 0: from the first
  std::uint64_t filter = 0;         // 0: none
  std::uint32_t filter_stride = 0;  // words between queries; 0: shared
  std::uint64_t keys = 0;           // out: the keys of a block
  std::uint32_t keys_stride = 0;    // keys between queries
};

Support texel_supports(std::uint64_t k, std::uint64_t rows) {
  if (std::min(k, rows) > most_ranks)
    return Support::no(Limit::neighbors, fmt::format("texel search repeats its reduction for every neighbour and "
                                                     "stops at k = {}; use the scan",
                                                     most_ranks));
  return Support::yes();
}

Support texel_supports_narrowing(const SearchDescription& description) {
  if (description.counted)
    return Support::no(Limit::narrowing, "texel search needs the number of queries when it is recorded; use the scan");
  if (description.continued && search::finish_of(description) != passes::finish_none)
    return Support::no(Limit::narrowing, fmt::format("texel search does not continue {}, whose exact order is not in "
                                                     "its distances; use the scan",
                                                     to_string(description.metric)));
  return Support::yes();
}

void TexelPlan::check(const BustosOptions& options) {
  if (options.dimensions_per_pass < 1 || options.dimensions_per_pass > 16)
    throw Error(ErrorCode::invalid_argument, "dimensions_per_pass",
                fmt::format("{} was given, 1 to 16 is allowed", options.dimensions_per_pass));
}

TexelPlan TexelPlan::make(Device& device, const SearchDescription& description, const TexelDatabase& database,
                          const BustosOptions& options) {
  search::check(description);
  refuse_counted(description, "texel");
  refuse_raw(description, "texel");
  check(options);
  if (description.rows != database.rows() || description.dimensions != database.dimensions())
    throw Error(ErrorCode::invalid_argument, "database",
                fmt::format("holds {} x {} values, {} x {} were described", database.rows(), database.dimensions(),
                            description.rows, description.dimensions));
  if (const Support support = texel_supports_narrowing(description); !support)
    throw Error(ErrorCode::unsupported, "after", support.reason);
  if (const Support support = texel_supports(description.k, description.rows); !support)
    throw Error(ErrorCode::unsupported, "k", support.reason);

  const auto made = std::make_shared<Implementation>();
  Implementation& plan = *made;
  plan.device_ = PlannedFor(device);
  plan.description_ = description;
  plan.database_block_rows_ = database.rows_per_block();
  plan.database_layers_ = database.layers_per_texture();
  plan.require_planned(database);
  plan.options_ = options;
  plan.selectable_ = static_cast<std::uint32_t>(std::min(description.k, description.rows));

  // Block 0 is the largest.
  const TexelDatabase::Block& largest = database.blocks().front();
  const std::uint64_t per_query = std::uint64_t{largest.width} * largest.height * 16 * 2 + description.k * key_bytes +
                                  database.blocks().size() * plan.selectable_ * key_bytes;
  const std::uint32_t most_layers = std::min(device.capabilities().max_texture_layers, 32768u);
  const std::uint64_t layers_by_allocation =
      device.capabilities().max_allocation_bytes / (std::uint64_t{largest.width} * largest.height * 16);
  plan.block_queries_ = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(std::min(description.scratch_limit / per_query, layers_by_allocation), 1,
                                std::min(description.queries, most_layers)));
  plan.accumulated_ =
      device.create_texture(largest.width, largest.height, plan.block_queries_, TexelFormat::rgba32_float);
  plan.candidates_ =
      device.create_texture(largest.width, largest.height, plan.block_queries_, TexelFormat::rgba32_uint);
  plan.after_offset_ = align_scratch(plan.block_queries_ * description.k * key_bytes);
  plan.lists_offset_ = plan.after_offset_ + align_scratch(description.continued ? plan.block_queries_ * key_bytes : 0);
  plan.scratch_bytes_ =
      plan.lists_offset_ + align_scratch(plan.block_queries_ * database.blocks().size() * plan.selectable_ * key_bytes);

  RehearsalBuffer nowhere(UINT64_MAX);
  const SearchBuffers buffers = search::rehearsal_buffers(nowhere);
  rehearse(device, [&](Recording& rehearsal) { plan.record(rehearsal, database, buffers); });
  TexelPlan result;
  result.implementation_ = Planned<Implementation>(made);
  return result;
}

std::uint64_t TexelPlan::scratch_bytes() const { return implementation_->scratch_bytes_; }

void TexelPlan::record(Recording& recording, const TexelDatabase& database, const SearchBuffers& buffers) const {
  implementation_->record(recording, database, buffers);
}

void TexelPlan::Implementation::require_planned(const TexelDatabase& database) const {
  const Device& device = database.made_for().device();
  if (!device.shares_addresses(device_.device()))
    throw Error(ErrorCode::invalid_argument, "database",
                fmt::format("is in textures of {}, the plan is for {}", device.info().id, device_.device().info().id));
  if (database.rows() != description_.rows || database.dimensions() != description_.dimensions ||
      database.rows_per_block() != database_block_rows_ || database.layers_per_texture() != database_layers_)
    throw Error(
        ErrorCode::invalid_argument, "database",
        fmt::format("has {} x {} values in blocks of {} rows and textures of {} layers, {} x {} in blocks of {} "
                    "and textures of {} were planned",
                    database.rows(), database.dimensions(), database.rows_per_block(), database.layers_per_texture(),
                    description_.rows, description_.dimensions, database_block_rows_, database_layers_));
}

void TexelPlan::Implementation::record(Recording& recording, const TexelDatabase& database,
                                       const SearchBuffers& buffers) const {
  Bindings bindings(recording, device_.device());
  search::check(bindings, requirements_of(description_, scratch_bytes_), buffers);
  require_planned(database);
  const std::uint64_t keys = buffers.scratch.address();
  const std::uint64_t lists = keys + lists_offset_;
  const std::uint64_t k = description_.k;
  const auto block_count = static_cast<std::uint32_t>(database.blocks().size());

  recording.push_label("texel");
  for (std::uint32_t first = 0; first < description_.queries; first += block_queries_) {
    const std::uint32_t count = std::min(block_queries_, description_.queries - first);
    if (first != 0) recording.barrier();
    Round round;
    round.queries = count;
    round.query_address = buffers.queries.address() + std::uint64_t{first} * description_.dimensions * 4;
    if (description_.filter != FilterKind::none) {
      round.filter_stride = filter_stride(description_);
      round.filter = buffers.filter.address() + std::uint64_t{first} * round.filter_stride * 4;
    }
    if (description_.continued) {
      round.after = keys + after_offset_;
      record_after(recording, answered_metric(description_), buffers.after, first, count, round.after);
      recording.barrier();
    }
    if (selectable_ < k) {
      recording.fill(buffers.scratch.part(0, count * k * key_bytes), 0xFF);
      recording.barrier();
    }
    // The keys of a single block need no merging.
    round.keys_stride = block_count == 1 ? static_cast<std::uint32_t>(k) : block_count * selectable_;
    for (std::uint32_t b = 0; b < block_count; ++b) {
      if (b != 0) recording.barrier();
      round.keys = block_count == 1 ? keys : lists + b * selectable_ * key_bytes;
      record_block(recording, database.blocks()[b], database.layers_per_texture(), round);
    }
    recording.barrier();
    if (block_count > 1) {
      passes::MergeListsParameters merge{};
      merge.lists = lists;
      merge.merged = keys;
      merge.list_count = block_count;
      merge.k = selectable_;
      merge.merged_stride = static_cast<std::uint32_t>(k);
      recording.record(passes::make_merge_lists(merge, count));
      recording.barrier();
    }
    record_decode(recording, answered_metric(description_), keys, buffers, first * k, count * k);
  }
  recording.pop_label();
}

void TexelPlan::Implementation::record_block(Recording& recording, const TexelDatabase::Block& block,
                                             std::uint32_t layers_per_texture, const Round& round) const {
  recording.push_label("accumulate");
  for (std::size_t slice = 0; slice < block.coordinates.size(); ++slice) {
    Texture& coordinates = *block.coordinates[slice];
    for (std::uint32_t layer = 0; layer < coordinates.layers(); layer += options_.dimensions_per_pass) {
      passes::TexelAccumulateParameters accumulate{};
      accumulate.queries = round.query_address;
      accumulate.dimensions = description_.dimensions;
      accumulate.first_dimension = static_cast<std::uint32_t>(slice * layers_per_texture + layer);
      accumulate.first_layer = layer;
      accumulate.width = block.width;
      accumulate.height = block.height;
      accumulate.first = accumulate.first_dimension == 0;
      recording.record(passes::make_texel_accumulate(
          accumulate, description_.metric, std::min(options_.dimensions_per_pass, coordinates.layers() - layer),
          round.queries, coordinates, *accumulated_));
      recording.barrier();
    }
  }
  recording.pop_label();

  recording.push_label("reduce");
  for (std::uint32_t rank = 0; rank < selectable_; ++rank) {
    if (rank != 0) recording.barrier();
    passes::TexelMinimumParameters minimum{};
    minimum.after = rank == 0 ? round.after : round.keys + (rank - 1) * key_bytes;
    minimum.after_stride = rank == 0 ? 1 : round.keys_stride;
    minimum.filter_bits = round.filter;
    minimum.filter_stride = round.filter_stride;
    minimum.width = block.width;
    minimum.height = block.height;
    minimum.first_index = static_cast<std::uint32_t>(block.first_row);
    minimum.rows = block.rows;
    recording.record(
        passes::make_texel_minimum(minimum, description_.metric, round.queries, *accumulated_, *candidates_));
    recording.barrier();
    record_reduction(recording, block.width, block.height, round.queries);

    passes::TexelCollectParameters collect{};
    collect.keys = round.keys + rank * key_bytes;
    collect.keys_stride = round.keys_stride;
    collect.queries = round.queries;
    collect.first_block = 1;
    recording.record(passes::make_texel_collect(collect, *candidates_));
  }
  recording.pop_label();
}

void TexelPlan::Implementation::record_reduction(Recording& recording, std::uint32_t width, std::uint32_t height,
                                                 std::uint32_t query_count) const {
  while (width > 1 || height > 1) {
    std::uint32_t rounds = options_.reductions_per_pass;
    if (rounds == 0)
      rounds = std::uint64_t{width} * height <= texels_for_one_workgroup ? UINT32_MAX : reductions_at_once;
    passes::TexelReduceParameters reduce{};
    reduce.width = width;
    reduce.height = height;
    while (reduce.rounds < rounds && (width > 1 || height > 1)) {
      width = divide_up(width, 2u);
      height = divide_up(height, 2u);
      ++reduce.rounds;
    }
    recording.record(passes::make_texel_reduce(reduce, query_count, *candidates_));
    recording.barrier();
  }
}

}  // namespace proxel
