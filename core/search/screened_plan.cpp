#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "proxel/passes/screen_canonical.h"
#include "proxel/passes/screen_code_tiles.h"
#include "proxel/passes/screen_difference_tiles.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_refine.h"
#include "proxel/passes/screen_threshold.h"
#include "search/code_errors.hpp"
#include "search/check.hpp"
#include "search/rehearsal.hpp"
#include "search/screened_plan.hpp"
#include "search/undecided.hpp"

namespace proxel {

using namespace search;
using passes::ScreenArithmetic;
using passes::ScreenPurpose;
using passes::tile_rows;

namespace {

constexpr std::uint64_t query_bounds_bytes = 32;
constexpr std::uint32_t multiprocessors_where_unknown = 64;
constexpr std::uint32_t most_screened_queries = 128 * 4096;
// Undecided queries that one pass of the last rung serves at most.
constexpr std::uint32_t most_scan_lists = 65536;
// Workgroups that share the rows for 128 queries that half precision left undecided, at least: not too many lists for many queries. Where
// there are few queries, all multiprocessors share the rows.
constexpr std::uint32_t rescue_splits = 16;
// Canonical thresholds take 128 undecided queries at a time, and as long for one of them: on an H200, of 1,000,000 × 128, 2.2 ms, where the
// scan takes 0.08 a query. So the first undecided ones are scanned; and a search of few queries scans all of them and has no thresholds,
// whose passes take some µs for nothing, too.
constexpr std::uint32_t most_queries_without_thresholds = passes::tile_rows;
constexpr std::uint32_t most_scanned_first = 32;
// Of a filter that allows one row in so many the scan takes less than canonical thresholds, in each round of neighbours, also where no copy
// has rows row by row: each coordinate is 32 bytes then.
constexpr std::uint64_t rows_of_sparse = 64;

// Rows within the error of codes in what is evaluated canonically.
constexpr std::uint32_t code_survivors = 1024;
// Workgroups of codes on one multiprocessor.
constexpr std::uint32_t code_workgroups = 8;

// Queries of the smallest workgroups of matrix units.
constexpr std::uint32_t fewest_workgroup_queries = 32;
// Fewer queries wait for memory, and gain nothing by sums in half precision. Nor do fewer rows than have a sample: through Vulkan
// 16,384 and 32,768 took up to 7 in 100 longer.
constexpr std::uint32_t fewest_half_sum_queries = 257;
// In fewer dimensions neighbours are so near that the errors matter.
constexpr std::uint32_t fewest_half_sum_dimensions = 9;
// Nor do searches of more neighbours, where rows that are collected take longer than products.
constexpr std::uint64_t most_half_sum_neighbors = 256;

// Workgroups for each multiprocessor, among which the tiles are divided. One of 256 queries runs at a time. Of 128 an H200 has room for
// two, and on matrix units for three to five where queries of one or two blocks, or sums in half precision, take few registers. Of
// fewer queries eight were measured to be a little faster than four, when each had 128 invocations.
// @param matrix_blocks   depth blocks, on matrix units; otherwise 0
// @param half_sum_steps  of sums in half precision; otherwise 0
std::uint32_t workgroups_per_multiprocessor(std::uint32_t workgroup_queries, std::uint32_t matrix_blocks,
                                            std::uint32_t half_sum_steps) {
  if (workgroup_queries == 256) return 1;
  if (workgroup_queries < tile_rows) return 8;
  if (half_sum_steps != 0) return half_sum_steps <= 6 ? 5 : 3;
  return matrix_blocks == 1 ? 4 : matrix_blocks == 2 ? 3 : 2;
}

// Workgroups per block of queries, so that all of them fill the device evenly: as few
// as leave a few hundredths of it idle.
std::uint32_t useful_splits(std::uint32_t query_blocks, std::uint32_t row_tiles, std::uint32_t places) {
  const std::uint32_t most = std::clamp(row_tiles, 1u, 4 * places);
  std::uint32_t best = 1;
  double best_share = 0;
  for (std::uint32_t splits = 1; splits <= most; ++splits) {
    const std::uint64_t workgroups = std::uint64_t{splits} * query_blocks;
    const std::uint64_t rounds = divide_up<std::uint64_t>(workgroups, places);
    // A workgroup's rows are whole tiles, too.
    const double share = static_cast<double>(workgroups) / static_cast<double>(rounds * places) *
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
struct MatrixKernel {
  ScreenArithmetic arithmetic = ScreenArithmetic::scalar;
  std::uint32_t workgroup_queries = 0;
  Support support;
};

// @param half_sums  whether sums in half precision serve
MatrixKernel matrix_kernel(const Device& device, passes::ScreenValues values, std::uint32_t depth_blocks,
                           std::uint32_t queries, bool half_sums = false) {
  passes::ScreenTilesParameters probe{};
  probe.depth_blocks = depth_blocks;
  probe.depth_steps = 4 * depth_blocks;
  probe.query_count = probe.splits = 1;
  MatrixKernel kernel;
  for (const auto& [arithmetic, workgroup_queries] :
       {std::pair{ScreenArithmetic::half_sums, 128u}, std::pair{ScreenArithmetic::half_sums, 256u},
        std::pair{ScreenArithmetic::matrix, fewest_workgroup_queries}, std::pair{ScreenArithmetic::matrix, 128u},
        std::pair{ScreenArithmetic::matrix, 256u}, std::pair{ScreenArithmetic::scalar, 128u}}) {
    if (arithmetic == ScreenArithmetic::half_sums && !half_sums) continue;
    if (workgroup_queries == fewest_workgroup_queries && queries > workgroup_queries) continue;
    kernel = {arithmetic, workgroup_queries,
              device.supports(
                  passes::make_screen_tiles(probe, values, arithmetic, ScreenPurpose::collect, 4, workgroup_queries))};
    if (kernel.support) break;
  }
  return kernel;
}

bool half_sums_serve(const SearchDescription& description, const ScreenedRows& screened) {
  return !description.binary32_sums && description.queries >= fewest_half_sum_queries &&
         description.rows >= ScreenedRows::fewest_sampled_rows && description.k <= most_half_sum_neighbors &&
         screened.operand() == ScreenOperand::halves && screened.metric() == Metric::l2sq &&
         screened.dimensions() >= fewest_half_sum_dimensions &&
         screened.dimensions() <= 16 * passes::screen_most_half_sum_steps;
}

// More queries than four are served by differences alone: products of as many are made of halves.
bool serves_differences(const Device& device, const SearchDescription& description) {
  const Metric metric = accumulated(description.metric);
  return (metric == Metric::l1 || metric == Metric::linf) && !description.copy_alone && !is_cpu(device);
}

Support difference_kernel(const Device& device, const SearchDescription& description) {
  const Metric metric = accumulated(description.metric);
  passes::ScreenTilesParameters probe{};
  probe.query_count = probe.splits = 1;
  return device.supports(passes::make_screen_difference_tiles(probe, metric, ScreenPurpose::sample, 4));
}

Support code_kernel(const Device& device, const SearchDescription& description) {
  const bool many = serves_differences(device, description);
  if (many && description.queries > ScreenedPlan::most_listed_queries) return difference_kernel(device, description);
  if (!many && description.queries > ScreenedPlan::most_coded_queries)
    return Support::no(fmt::format("codes serve up to {} queries, {} were asked for; more by l1 and linf on a GPU",
                                   ScreenedPlan::most_coded_queries, description.queries));
  // What codes alone leave is evaluated where the rows are.
  const std::uint64_t most = !is_cpu(device)          ? ScreenedPlan::most_coded_k
                             : description.copy_alone ? most_refined
                                                      : ScreenedPlan::most_coded_k_of_cpu;
  if (description.k > most)
    return Support::no(Limit::neighbors,
                       fmt::format("codes serve up to {} neighbours, {} were asked for", most, description.k));
  passes::ScreenCodeTilesParameters probe{};
  probe.query_count = description.queries;
  return device.supports(passes::make_screen_code_tiles(probe, description.metric, ScreenPurpose::collect, 1));
}

// What finds thresholds, and the nearest of what was collected, whatever scores come from.
Support finding_kernels(const Device& device, const SearchDescription& description) {
  passes::ScreenThresholdParameters threshold{};
  threshold.rank = 1;
  threshold.query_count = 1;
  passes::ScreenRefineParameters refine{};
  refine.k = 1;
  refine.query_count = 1;
  if (const Support support = device.supports(passes::make_screen_threshold(threshold)); !support) return support;
  return device.supports(passes::make_screen_refine(refine, description.metric, 0));
}

Support canonical_kernel(const Device& device, Metric metric) {
  passes::ScreenCanonicalParameters probe{};
  probe.rows.count = probe.splits = probe.slots = 1;
  return device.supports(passes::make_screen_canonical(probe, metric, ScreenPurpose::collect, canonical_width));
}

}  // namespace

Support ScreenedPlan::supports_narrowing(const SearchDescription& description) {
  if (description.continued)
    return Support::no(Limit::narrowing, "thresholds do not continue behind neighbours; use the scan");
  return Support::yes();
}

Support ScreenedPlan::supports(const Device& device, const SearchDescription& description,
                               std::optional<ScreenOperand> operand) {
  require_metric(description.metric);
  if (description.k > most_k)
    return Support::no(
        Limit::neighbors,
        fmt::format("the thresholds of fused serve up to {} neighbours, {} were asked for", most_k, description.k));
  if (description.rows < fewest_screened_rows(description.k))
    return Support::no(
        Limit::neighbors,
        fmt::format("the thresholds of fused need four times as many rows as neighbours, {} for k = {}; there are {}",
                    fewest_screened_rows(description.k), description.k, description.rows));
  if (Support narrowing = supports_narrowing(description); !narrowing) return narrowing;
  if (Support finds = finding_kernels(device, description); !finds) return finds;
  if (description.k > passes::screen_most_sorted)
    if (Support many = Implementation::supports_many(device, description, operand.has_value()); !many) return many;
  if (!operand) return canonical_kernel(device, description.metric);
  if (const Support rows =
          ScreenedRows::supports(device, description.metric, description.rows, description.dimensions, *operand);
      !rows)
    return rows;
  if (*operand == ScreenOperand::codes) return code_kernel(device, description);
  return matrix_kernel(device, values_of(*operand), 1, description.queries).support;
}

bool ScreenedPlan::on_matrix_units(const Device& device, ScreenOperand operand) {
  if (operand == ScreenOperand::codes) return false;
  const MatrixKernel kernel = matrix_kernel(device, values_of(operand), 1, most_screened_queries);
  return kernel.support && kernel.arithmetic == ScreenArithmetic::matrix;
}

std::uint64_t ScreenedPlan::Implementation::query_operand_bytes() const {
  if (!screened_) return 0;
  return holds_codes() ? std::uint64_t{screened_->words()} * 4
                       : std::uint64_t{screened_->depth_blocks()} * passes::screen_block_bytes / tile_rows;
}

double ScreenedPlan::Implementation::near_by_codes() const {
  return search::near_by_codes(accumulated(description_.metric), description_.rows, description_.dimensions,
                               description_.k);
}

// Half of all rows are as good as undecided.
std::uint32_t ScreenedPlan::Implementation::as_room(double rows) const {
  return static_cast<std::uint32_t>(std::min(rows, static_cast<double>(description_.rows) / 2 + tile_rows));
}

std::uint32_t ScreenedPlan::Implementation::survivors_by_differences() const {
  return as_room(room_for_near(near_by_codes(), description_.k));
}

ScreenedPlan::Implementation::Lists ScreenedPlan::Implementation::lists_for(std::uint32_t slots, std::uint32_t splits,
                                                                            const Sample& sample) const {
  // Rows near a query may lie together, so that one share has more than its part.
  const double per_split = sample.half_of_most / splits;
  // What is expected within the error of codes may be more than there is.
  const double most = static_cast<double>(description_.rows) + 2 * tile_rows;
  const auto capacity = static_cast<std::uint32_t>(std::min(2 * per_split + 6 * std::sqrt(per_split) + 16, most));
  // What survives is merged where the lists were.
  return {slots, splits, std::max(capacity, divide_up(many_.room, splits))};
}

std::uint32_t ScreenedPlan::Implementation::most_sparse_rows() const {
  const std::uint64_t rounds = divide_up<std::uint64_t>(description_.k, scan_round_);
  return static_cast<std::uint32_t>(
      std::max(description_.k * certain_.step, description_.rows / (rows_of_sparse * rounds)));
}

void ScreenedPlan::Implementation::lay_out(std::uint32_t queries, const Capabilities& capabilities) {
  const std::uint32_t multiprocessors =
      capabilities.multiprocessors ? capabilities.multiprocessors : multiprocessors_where_unknown;
  const auto tiles = static_cast<std::uint32_t>(divide_up<std::uint64_t>(description_.rows, tile_rows));
  const std::uint32_t query_tiles = divide_up(queries, tile_rows);
  const std::uint64_t padded = coded() ? queries : std::uint64_t{query_tiles} * tile_rows;
  const std::uint64_t key_list = scan_round_ * key_bytes;

  const std::uint32_t matrix_blocks =
      screened_ && arithmetic_ == ScreenArithmetic::matrix ? screened_->depth_blocks() : 0;
  query_workgroup_ = workgroup_of_query(queries, capabilities);
  lists_ = lists_for(
      queries,
      useful_splits(divide_up(queries, workgroup_queries_), tiles,
                    workgroups_per_multiprocessor(workgroup_queries_, matrix_blocks, half_sums() ? depth_steps() : 0) *
                        multiprocessors),
      sample_);
  // Where one row lies far out the error of its tile is large, so that all rows of it are near.
  if (by_differences()) lists_.capacity += tile_rows;
  const auto list_bytes = [](const Lists& lists) { return std::uint64_t{lists.splits} * lists.capacity * found_bytes; };
  // The bounds of the sample are read before the first row is collected.
  const auto bounds_bytes = [&](const Sample& sample) { return std::uint64_t{sample.groups()} * sizeof(float); };
  if (coded()) {
    // All workgroups append to one list.
    lists_ = lists_for(queries, 1, sample_);
    // What is found in codes alone passes over the link.
    if (!description_.copy_alone)
      lists_.capacity =
          std::max({lists_.capacity, passes::screen_most_collected, std::min(2 * many_.room, tiles * tile_rows)});
    code_workgroups_ = code_workgroups * multiprocessors;
  }
  std::uint64_t found = padded * std::max(list_bytes(lists_), bounds_bytes(sample_));
  std::uint64_t survivor_lists = padded;
  if (rescues_) {
    rescue_ = lists_for(queries, std::min(tiles, rescue_splits), certain_);
    // A list has as much room as with fewer workgroups: rows near a query may lie in one tile.
    if (!many()) rescue_.splits = std::min(tiles, std::max(rescue_splits, 2 * multiprocessors / query_tiles));
    const std::uint64_t per_slot = std::max(list_bytes(rescue_), bounds_bytes(certain_));
    // All queries at once where that is cheap: passes over none cost their launches.
    const std::uint64_t room = std::max(found, description_.scratch_limit / 4);
    rescue_.slots =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(room / per_slot / tile_rows, 1, query_tiles) * tile_rows);
    found = std::max(found, rescue_.slots * per_slot);
    survivor_lists = std::max<std::uint64_t>(survivor_lists, rescue_.slots);
  }
  scan_lists_ = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(description_.scratch_limit / 8 / key_list, 1,
                                std::min(most_scan_lists, std::max(description_.queries, 4 * multiprocessors))));
  scan_workgroups_ = std::min(scan_lists_, 8 * multiprocessors);

  undecided_[0] = 0;
  const std::uint64_t list_of_all = align_scratch(16 + std::uint64_t{description_.queries} * 4);
  undecided_[1] = list_of_all + align_scratch(passes::undecided_ticket_bytes(scan_lists_));
  undecided_[2] = undecided_[1] + list_of_all;
  lists_.counts = undecided_[2] + (divides() ? list_of_all : 0);
  rescue_.counts = lists_.counts + align_scratch(padded * lists_.splits * 4);
  zeroed_bytes_ = rescue_.counts + rescue_.count_bytes();
  scan_offset_ = align_scratch(zeroed_bytes_);
  biases_offset_ =
      scan_offset_ + align_scratch(scan_lists_ * key_list + (many() ? passes::undecided_after_bytes(scan_lists_) : 0));
  queries_offset_ = biases_offset_ + std::uint64_t{masks()} * tiles * tile_rows * sizeof(float);
  query_bounds_offset_ = queries_offset_ + align_scratch(padded * query_operand_bytes());
  thresholds_offset_ = query_bounds_offset_ + (screened_ ? align_scratch(padded * query_bounds_bytes) : 0);
  found_offset_ = thresholds_offset_ + align_scratch(padded * 4);
  scratch_bytes_ = found_offset_ + align_scratch(found);
  if (!many()) return;
  survivor_counts_offset_ = scratch_bytes_;
  survivors_offset_ = survivor_counts_offset_ + align_scratch(survivor_lists * 4);
  scratch_bytes_ = survivors_offset_ + align_scratch(survivor_lists * many_.room * key_bytes);
}

ScreenedPlan ScreenedPlan::make(Device& device, const SearchDescription& description, const ScreenedRows* screened,
                                const passes::Rows& rows) {
  check(description);
  const auto operand = screened ? std::optional(screened->operand()) : std::nullopt;
  if (const Support support = supports(device, description, operand); !support)
    throw Error(ErrorCode::unsupported, "screened search", support.reason);
  if (screened && (screened->rows() != description.rows || screened->dimensions() != description.dimensions ||
                   screened->metric() != accumulated(description.metric)))
    throw Error(ErrorCode::invalid_argument, "screened rows", "were made for another database or kind of metric");
  if (screened && !screened->device().shares_addresses(device))
    throw Error(ErrorCode::invalid_argument, "screened rows",
                fmt::format("are in memory of {}, the plan is for {}", screened->device().info().id, device.info().id));
  if (description.copy_alone &&
      (!screened || screened->operand() == ScreenOperand::halves || description.k > most_refined))
    throw Error(ErrorCode::unsupported, "copy_alone",
                fmt::format("up to {} neighbours are found in a copy of integers or codes alone", most_refined));
  const RowsSegment segment{rows, 0};
  check_segments(description.rows, description.dimensions, {&segment, 1});

  const auto made = std::make_shared<Implementation>();
  Implementation& plan = *made;
  plan.device_ = PlannedFor(device);
  plan.description_ = description;
  plan.rows_ = rows;
  if (screened) plan.screened_ = *screened;
  if (plan.coded()) {
    plan.workgroup_queries_ = most_coded_queries;
    plan.least_survivors_ = code_survivors;
  } else if (plan.by_differences()) {
    plan.arithmetic_ = ScreenArithmetic::scalar;
    // Some queries lie far out, and lists have room for more than they need.
    plan.least_survivors_ = std::bit_ceil(
        2 * std::clamp(plan.survivors_by_differences(), code_survivors / 2, passes::screen_most_survivors / 2));
    plan.rescues_ = canonical_kernel(device, description.metric).supported;
  } else if (screened) {
    const MatrixKernel kernel = matrix_kernel(device, values_of(screened->operand()), screened->depth_blocks(),
                                              description.queries, half_sums_serve(description, *screened));
    plan.arithmetic_ = kernel.arithmetic;
    plan.workgroup_queries_ = kernel.workgroup_queries;
    plan.rescues_ = canonical_kernel(device, description.metric).supported;
  }
  plan.scan_round_ = static_cast<std::uint32_t>(description.k);
  if (description.k > passes::screen_most_sorted ||
      (plan.lists_survivors(device) && Implementation::supports_many(device, description, screened != nullptr)))
    plan.choose_many(device);
  // Neighbours that are found in rounds are scanned for in each.
  const std::uint32_t rounds = divide_up(static_cast<std::uint32_t>(description.k), plan.scan_round_);
  plan.scanned_first_ = std::max(1u, most_scanned_first / rounds);
  if (plan.leaves_undecided() || description.queries <= std::max(1u, most_queries_without_thresholds / rounds))
    plan.rescues_ = false;
  const auto tiles = static_cast<std::uint32_t>(divide_up<std::uint64_t>(description.rows, tile_rows));
  plan.choose_sample(tiles);
  plan.choose_pool(device.capabilities());

  std::uint32_t queries = std::min(description.queries, most_screened_queries);
  plan.lay_out(queries, device.capabilities());
  while (plan.scratch_bytes_ > description.scratch_limit && queries > tile_rows) {
    // Blocks of equal size, as few as fit.
    const std::uint32_t blocks = divide_up(description.queries, queries) + 1;
    queries = std::min(queries - tile_rows, divide_up(divide_up(description.queries, blocks), tile_rows) * tile_rows);
    queries = std::max(queries, tile_rows);
    plan.lay_out(queries, device.capabilities());
  }

  if (description.counted) {
    std::vector<std::uint32_t> numbers(4 + std::uint64_t{description.queries});
    std::iota(numbers.begin() + 4, numbers.end(), 0u);
    plan.numbers_ = device.create_buffer(numbers.size() * 4, MemoryKind::device);
    upload(device, *plan.numbers_, numbers.data());
  }
  RehearsalBuffer nowhere(UINT64_MAX);
  const SearchBuffers buffers = rehearsal_buffers(nowhere);
  rehearse(device, [&](Recording& rehearsal) { plan.record(rehearsal, rows, buffers, {}); });
  ScreenedPlan result;
  result.implementation_ = Planned<Implementation>(made);
  return result;
}

std::uint64_t ScreenedPlan::scratch_bytes() const { return implementation_->scratch_bytes_; }
bool ScreenedPlan::estimates() const { return implementation_->sample_.estimated; }
bool ScreenedPlan::half_sums() const { return implementation_->half_sums(); }
bool ScreenedPlan::rescues() const { return implementation_->rescues_; }
std::uint32_t ScreenedPlan::scanned(std::uint32_t after_scores, std::uint32_t after_thresholds) const {
  return implementation_->rescues_ ? std::min(after_scores, implementation_->scanned_first_) + after_thresholds
                                   : after_thresholds;
}
bool ScreenedPlan::leaves_undecided() const { return implementation_->leaves_undecided(); }
Buffer* ScreenedPlan::counted() const { return implementation_->numbers_.get(); }
ScreenedPlan::Collected ScreenedPlan::collected() const {
  const Implementation& of = *implementation_;
  return {of.query_bounds_offset_, of.lists_.counts, of.found_offset_, of.lists_.capacity};
}
std::uint64_t ScreenedPlan::undecided_offset(unsigned rung) const { return implementation_->undecided_[rung]; }

void ScreenedPlan::record(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers,
                          const BufferView& told) const {
  implementation_->record(recording, rows, buffers, told);
}

}  // namespace proxel
