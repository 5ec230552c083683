#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "proxel/screened.hpp"
#include "search/check.hpp"
#include "search/rehearsal.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

namespace {

// The longest list that the canonical scan selects, as in ScanPlan.
constexpr std::uint64_t most_screened_k = 1024;
constexpr std::uint64_t query_bounds_bytes = 32;
constexpr std::uint64_t found_bytes = 8;
constexpr std::uint32_t multiprocessors_where_unknown = 64;
// A grid of more query tiles than this is recorded in blocks.
constexpr std::uint32_t most_block_queries = 128 * 4096;
// Undecided queries that one rescue pass serves at most.
constexpr std::uint32_t most_rescue_lists = 65536;

// How much of the database is sampled for a threshold. A k-th best of one row in
// `share` leaves about k * share rows to be collected; sampling costs 1 / share
// of the screening itself.
std::uint32_t sampled_share(std::uint64_t k) { if (getenv("SHARE")) return atoi(getenv("SHARE")); return k <= 32 ? 16 : k <= 200 ? 8 : 4; }

// Workgroups per block of queries, so that all of them fill the device evenly: as few
// as leave less than a twentieth of it idle.
std::uint32_t useful_splits(std::uint32_t query_blocks, std::uint32_t row_tiles,
                            std::uint32_t multiprocessors) {
  const std::uint32_t most = std::clamp(row_tiles, 1u, 4 * multiprocessors);
  std::uint32_t best = 1;
  double best_share = 0;
  for (std::uint32_t splits = 1; splits <= most; ++splits) {
    const std::uint64_t workgroups = std::uint64_t{splits} * query_blocks;
    const std::uint64_t rounds = divide_up<std::uint64_t>(workgroups, multiprocessors);
    const double share =
        static_cast<double>(workgroups) / static_cast<double>(rounds * multiprocessors) *
        // The tiles of a workgroup are whole as well.
        static_cast<double>(row_tiles) /
        static_cast<double>(std::uint64_t{divide_up(row_tiles, splits)} * splits);
    if (share > best_share + 0.03) {
      best_share = share;
      best = splits;
    }
  }
  return best;
}

// The first that the device has of the kernels that multiply.
struct ScreenKernel {
  passes::ScreenArithmetic arithmetic = passes::ScreenArithmetic::scalar;
  std::uint32_t workgroup_queries = 0;
  Support support;
};

ScreenKernel kernel_for(const Device& device, std::uint32_t depth_blocks) {
  using passes::ScreenArithmetic;
  passes::ScreenTilesParameters probe{};
  probe.depth_blocks = depth_blocks;
  probe.depth_steps = 4 * depth_blocks;
  probe.query_count = probe.splits = 1;
  ScreenKernel kernel;
  for (const auto& [arithmetic, queries] :
       {std::pair{ScreenArithmetic::matrix, 256u}, std::pair{ScreenArithmetic::matrix, 128u},
        std::pair{ScreenArithmetic::scalar, 128u}}) {
    kernel = {arithmetic, queries,
              device.supports(passes::make_screen_tiles(
                  probe, arithmetic, passes::ScreenPurpose::collect, 4, queries))};
    if (kernel.support) break;
  }
  return kernel;
}

}  // namespace

Support ScreenedPlan::supports(const Device& device, const SearchDescription& description) {
  if (description.k > most_screened_k)
    return Support::no(fmt::format("screening finds up to {} neighbours, {} were asked for",
                                   most_screened_k, description.k));
  if (description.k * 4 > description.rows)
    return Support::no(fmt::format("screening needs four times as many rows as neighbours; there "
                                   "are {} rows and k is {}",
                                   description.rows, description.k));
  if (const Support rows = ScreenedRows::supports(device, description.metric, description.rows,
                                                  description.dimensions);
      !rows)
    return rows;
  return kernel_for(device, 1).support;
}

ScreenedPlan ScreenedPlan::make(Device& device, const SearchDescription& description,
                                const ScreenedRows& screened, const passes::Rows& rows) {
  check(description);
  if (const Support support = supports(device, description); !support)
    throw Error(ErrorCode::unsupported, "screened search", support.reason);
  if (screened.rows() != description.rows || screened.dimensions() != description.dimensions ||
      screened.metric() != accumulated(description.metric))
    throw Error(ErrorCode::invalid_argument, "screened rows",
                "were made for another database or kind of metric");

  ScreenedPlan plan;
  plan.description_ = description;
  plan.screened_ = &screened;
  const ScreenKernel kernel = kernel_for(device, screened.depth_blocks());
  plan.arithmetic_ = kernel.arithmetic;
  plan.workgroup_queries_ = kernel.workgroup_queries;

  const auto k = static_cast<std::uint32_t>(description.k);
  const Capabilities& capabilities = device.capabilities();
  const std::uint32_t multiprocessors =
      capabilities.multiprocessors ? capabilities.multiprocessors : multiprocessors_where_unknown;
  const auto tiles =
      static_cast<std::uint32_t>(divide_up<std::uint64_t>(description.rows, tile_rows));

  // Enough tiles that their groups are four times as many as neighbours.
  const std::uint32_t share = sampled_share(k);
  plan.sample_tiles_ = std::max(divide_up(tiles, share), std::min(tiles, 16u));
  for (const std::uint32_t groups : {4u, 16u, 64u}) {
    plan.groups_per_tile_ = groups;
    if (plan.sample_tiles_ * groups >= 4 * k) break;
  }
  plan.sample_tiles_ =
      std::min(tiles, std::max(plan.sample_tiles_, divide_up(4 * k, plan.groups_per_tile_)));
  plan.sample_step_ = tiles / plan.sample_tiles_;

  const std::uint64_t rescue_bytes = align_scratch(k * key_bytes);
  plan.rescue_lists_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      description.scratch_limit / 8 / rescue_bytes, 1,
      std::min(most_rescue_lists, std::max(description.queries, 4 * multiprocessors))));
  plan.rescue_groups_ = std::min(plan.rescue_lists_, std::min(tiles, 4 * multiprocessors));
  plan.rescue_workgroups_ = std::min(plan.rescue_lists_, 8 * multiprocessors);

  // How many rows a query collects: the k-th best of the sample has this rank.
  const double expected = 1.2 * k * tiles / plan.sample_tiles_ + 32;
  plan.pool_ = std::min(divide_up(static_cast<std::uint32_t>(2 * expected) + 256, 128u) * 128,
                        passes::screen_most_collected);
  const auto size_for = [&](std::uint32_t queries) {
    const std::uint32_t query_tiles = divide_up(queries, tile_rows);
    plan.splits_ =
        useful_splits(divide_up(queries, plan.workgroup_queries_), tiles, multiprocessors);
    const double per_split = expected / plan.splits_;
    plan.capacity_ = static_cast<std::uint32_t>(2 * per_split + 6 * std::sqrt(per_split) + 16);
    plan.block_queries_ = queries;
    const std::uint64_t padded = std::uint64_t{query_tiles} * tile_rows;
    const std::uint64_t lists = padded * plan.splits_ * plan.capacity_ * found_bytes;
    // The sample's bounds are read before the first row is collected.
    const std::uint64_t bounds =
        padded * plan.sample_tiles_ * plan.groups_per_tile_ * sizeof(float);
    plan.rescue_offset_ = align_scratch(16 + std::uint64_t{description.queries} * 4);
    plan.queries_offset_ = plan.rescue_offset_ + align_scratch(plan.rescue_lists_ * k * key_bytes);
    plan.query_bounds_offset_ =
        plan.queries_offset_ +
        std::uint64_t{query_tiles} * screened.depth_blocks() * passes::screen_block_bytes;
    plan.thresholds_offset_ = plan.query_bounds_offset_ + padded * query_bounds_bytes;
    plan.counts_offset_ = plan.thresholds_offset_ + align_scratch(padded * 4);
    plan.found_offset_ = plan.counts_offset_ + align_scratch(padded * plan.splits_ * 4);
    plan.scratch_bytes_ = plan.found_offset_ + align_scratch(std::max(lists, bounds));
  };
  std::uint32_t queries = std::min(description.queries, most_block_queries);
  size_for(queries);
  while (plan.scratch_bytes_ > description.scratch_limit && queries > tile_rows) {
    // Blocks of equal size, as few as fit.
    const std::uint32_t blocks = divide_up(description.queries, queries) + 1;
    queries = std::min(queries - tile_rows,
                       divide_up(divide_up(description.queries, blocks), tile_rows) * tile_rows);
    size_for(queries);
  }

  RehearsalBuffer nowhere(UINT64_MAX);
  Rehearsal rehearsal(device);
  plan.record(rehearsal, rows, {nowhere, nowhere, nowhere, nowhere});
  return plan;
}

}  // namespace proxel
