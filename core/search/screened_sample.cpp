#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "proxel/passes/screen_canonical.h"
#include "proxel/passes/screen_refine.h"
#include "search/check.hpp"
#include "search/code_errors.hpp"
#include "search/screened_plan.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

namespace {

// Rows that a query collects for each that the k-th best of the sample stands for.
constexpr double collected_per_sampled = 1.2;

// Up to so many neighbours the share that is sampled depends on the depth alone.
constexpr std::uint64_t most_shared_k = 200;
// The share of integers, of more than a few dimensions.
constexpr std::uint32_t integer_share = 6;

// How much of the database is sampled for a threshold: one row in so many. A k-th
// best of the sample leaves k times as many rows to be collected, each of
// which costs about as much as the epilogue of a few hundred products, while
// sampling costs the products once more: little depth affords a larger sample.
std::uint32_t sampled_share(std::uint64_t k, std::uint32_t depth) {
  if (k <= most_shared_k) return depth <= 64 ? 4 : depth < 512 || k > 64 ? 8 : 16;
  // What is expected to be collected, and a tenth more, is kept at hand by screen_refine, where the device has the memory for it.
  constexpr double most = passes::screen_most_collected / 1.1 - 32;
  return std::clamp(static_cast<std::uint32_t>(most / (collected_per_sampled * static_cast<double>(k))), 1u, 4u);
}

// The same of codes, of which the sample is read once more than the others; one workgroup looks at what it gives for a query,
// so no more tiles than these or, for each neighbour, those.
constexpr std::uint32_t coded_share = 16;
constexpr std::uint32_t most_coded_tiles = 512;
constexpr std::uint32_t coded_tiles_per_neighbor = 32;
// Rows within the error of codes for each that is wanted, in what is collected, at most as a rule.
constexpr double collected_by_codes = 8;
// The same by differences, of what is within the error of a neighbour: a rank of the sample stands for rows that are farther, and denser.
constexpr double collected_by_differences = 0.75;
// The same of sums in half precision.
constexpr double collected_by_half_sums = 1.3;

// What a score costs beside its products, and a row that is collected, in products of 128 dimensions.
constexpr double cost_of_score = 0.4;
constexpr double cost_of_collected = 400;
// Where neighbours are many, and the bounds of the sample are read several times to be counted.
constexpr double cost_of_collected_of_many = 200, cost_of_counted_bound = 24;
// Room for rows that the errors of scores let pass besides, as certain thresholds have it.
constexpr double room_for_errors = 1.4;

// Enough groups of a tile that the best of that rank among them is nearly the one among the rows, or as many as there may be.
std::uint32_t groups_for(std::uint32_t tiles, std::uint32_t rank) {
  for (const std::uint32_t groups : {4u, 16u})
    if (tiles * groups >= 4 * rank) return groups;
  return 64;
}

// The rank of a lower bound of a sample that fewer rows than are needed reach in less than one query of 10^6, which is then scanned. How many of the needed ones the
// sample has varies as a Poisson variable of mean neighbors / share does, and the bound fails where it has as many as the rank says.
// Chernoff's bound of that is ten times the truth and more, so that it may be 10^-5.
// @param neighbors  rows that have to reach it
// @param share      one row in so many is in the sample
std::uint32_t estimated_rank(double neighbors, double share) {
  constexpr double least_exponent = 11.5;
  const double mean = neighbors / share;
  double rank = std::floor(mean) + 1;
  while (rank * std::log(rank / mean) - rank + mean < least_exponent) ++rank;
  return static_cast<std::uint32_t>(rank);
}

}  // namespace

double ScreenedPlan::Implementation::within_error() const {
  if (by_differences()) return std::max(1.0, collected_by_differences * near_by_codes());
  return coded() ? collected_by_codes : half_sums() ? collected_by_half_sums : 1;
}

ScreenedPlan::Implementation::Sample ScreenedPlan::Implementation::certain_sample(std::uint32_t tiles) const {
  const auto k = static_cast<std::uint32_t>(description_.k);
  const std::uint32_t depth = screened_ ? terms() : description_.dimensions;
  std::uint32_t share = coded() ? coded_share : many() ? many_sampled_share(k, tiles) : sampled_share(k, depth);
  // Products of integers cost half as much as those of halves, and what is done with a score the same.
  if (integers() && !many() && k <= most_shared_k) share = std::clamp(description_.dimensions / 16, 4u, integer_share);
  Sample sample{.rank = k};
  sample.tiles = std::max(divide_up(tiles, share), std::min(tiles, 16u));
  if (coded()) sample.tiles = std::min(sample.tiles, std::max(most_coded_tiles, coded_tiles_per_neighbor * k));
  sample.groups_per_tile = screened_ ? groups_for(sample.tiles, k) : passes::screen_canonical_groups;
  const std::uint32_t groups = std::min(sample.groups_per_tile, passes::screen_canonical_groups);
  sample.tiles = std::min(tiles, std::max(sample.tiles, divide_up(4 * k, groups)));
  sample.step = tiles / sample.tiles;
  // How many rows a query collects: the k-th best of the sample has about this rank.
  sample.collected = collected_per_sampled * k * tiles / sample.tiles + 32;
  sample.collected = std::min(within_error() * sample.collected, static_cast<double>(description_.rows));
  sample.half_of_most = sample.collected;
  return sample;
}

// Makes the threshold of a sample of so many tiles an estimate.
ScreenedPlan::Implementation::Sample ScreenedPlan::Implementation::with_estimate(Sample sample) const {
  // For the k-th lower bound of what is collected screen_refine takes one that up to k / 8 + 1 more reach, screen_survivors
  // up to k / 64.
  const double k = static_cast<double>(description_.k), neighbors = k + (many() ? k / 64 : k / 8 + 1) + 1;
  const double share = static_cast<double>(description_.rows) / (double{tile_rows} * sample.tiles);
  sample.estimated = true;
  sample.rank = estimated_rank(neighbors, share);
  sample.groups_per_tile = groups_for(sample.tiles, sample.rank);
  sample.collected = std::min(within_error() * share * sample.rank, static_cast<double>(description_.rows));
  // How many rows the bound of that rank stands for varies: it is more than these in less than one query of 10^9.
  const double most = share * (sample.rank + 6 * std::sqrt(sample.rank) + 12);
  sample.half_of_most = within_error() * room_for_errors * most / 2;
  return sample;
}

ScreenedPlan::Implementation::Sample ScreenedPlan::Implementation::estimated_sample(const Sample& certain,
                                                                                    std::uint32_t tiles) const {
  if (!screened_ || description_.cautious || description_.rows < ScreenedRows::fewest_sampled_rows) return certain;
  if (holds_codes()) {
    // Rows that codes alone leave undecided pass over the link. With a rank near k hardly fewer are collected.
    if (description_.copy_alone) return certain;
    const Sample sample = with_estimate(certain);
    return 4 * sample.rank <= std::min(3 * certain.rank, sample.groups()) ? sample : certain;
  }
  const ScreenedRows::Sample rows = screened_->sample();
  // A filter knows the rows of a tile where they lie.
  const bool of_rows = description_.filter == FilterKind::none;
  const std::uint32_t sampled = of_rows ? rows.tiles : tiles / rows.share;
  // A tile costs as much for few queries as for all that a workgroup has room for.
  const double for_a_query = std::max(1.0, 1.0 * workgroup_queries_ / description_.queries);
  const auto cost_of = [&](const Sample& sample) {
    const double products = terms() / 128.0 + cost_of_score;
    const double of_products = sample.tiles * double{tile_rows} * products * for_a_query;
    if (!many()) return of_products + sample.collected * cost_of_collected;
    return of_products + sample.collected * cost_of_collected_of_many + sample.groups() * cost_of_counted_bound;
  };
  Sample best = certain;
  double least = cost_of(certain);
  for (std::uint32_t step = 1; step <= 8 && sampled >= 8 * step; step *= 2) {
    const Sample sample =
        with_estimate({.step = of_rows ? step : step * rows.share, .tiles = sampled / step, .of_rows = of_rows});
    if (sample.groups() < 4 * sample.rank) break;
    const double cost = cost_of(sample);
    if (cost < least) best = sample;
    least = std::min(least, cost);
  }
  return best;
}

void ScreenedPlan::Implementation::choose_sample(std::uint32_t tiles) {
  if (unsampled()) {
    // Of rows like those before it these have no more than k within the distance of the k-th, as a rule.
    sample_.collected = sample_.half_of_most =
        within_error() * (collected_per_sampled * static_cast<double>(description_.k) + 32);
  } else {
    certain_ = certain_sample(tiles);
    sample_ = estimated_sample(certain_, tiles);
    // There is twice as much room already, which is enough by linf.
    const Metric metric = accumulated(description_.metric);
    if (by_differences() && metric == Metric::l1)
      sample_.half_of_most *= std::max(1.0, wide_step(metric, near_by_codes()) / 1.25);
    certain_.groups_per_tile = passes::screen_canonical_groups;
  }
}

void ScreenedPlan::Implementation::choose_pool(const Capabilities& capabilities) {
  // What few queries collect fits with certainty, as nobody else wants the memory: those that have a multiprocessor each have all of it where
  // there is little, as one in some hundred that collects more reads its lists several times, for which 262,144 × 451 took 0.235 ms and not
  // 0.169 (H200, Vulkan). Of many as many run at a time as it has room for.
  constexpr std::uint32_t little_memory = 64 * 1024;
  const bool little = !capabilities.runs_on_host && capabilities.shared_memory_bytes <= little_memory;
  const bool alone = little && has_multiprocessor_each(capabilities);
  const bool crowded = little && description_.queries >= many_queries;
  const double expected = sample_.collected;
  const auto wanted = coded() || alone ? passes::screen_most_collected
                                       : static_cast<std::uint32_t>(crowded ? 1.5 * expected + 64 : 2 * expected + 256);
  pool_ = passes::screen_refine_pool(capabilities.shared_memory_bytes, wanted,
                                     static_cast<std::uint32_t>(description_.k), least_survivors_);
}

// A query waits for memory most of the time: where queries are many, more of them at a time are worth more than invocations for each. It
// takes long with few to put more than 128 rows in order, and on a processor workgroups run one after another. How many queries a
// device will count nobody knows.
std::uint32_t ScreenedPlan::Implementation::workgroup_of_query(std::uint32_t queries,
                                                               const Capabilities& capabilities) const {
  constexpr std::uint32_t usual = usual_query_workgroup, most_sorted = 64;
  if (capabilities.runs_on_host) return usual;
  // The few queries of codes have a multiprocessor each, and the rows that codes leave are many.
  if (coded()) {
    const std::uint32_t most = capabilities.shared_memory_bytes >= passes::screen_wide_refine_bytes
                                   ? passes::screen_most_refine_workgroup
                                   : passes::screen_usual_refine_workgroup;
    return std::clamp(std::bit_floor(capabilities.max_workgroup_size), usual, most);
  }
  // Queries that have a multiprocessor each wait less for memory with more invocations, each of which asks for some of it.
  if (!description_.counted && has_multiprocessor_each(capabilities))
    return std::min(std::bit_floor(capabilities.max_workgroup_size), passes::screen_usual_refine_workgroup);
  const bool sorts_few = description_.k <= most_sorted && sample_.rank <= most_sorted && least_survivors_ <= usual;
  if (description_.counted || queries < many_queries || !sorts_few) return usual;
  return std::clamp(std::bit_ceil(capabilities.subgroup_size), 32u, usual);
}

}  // namespace proxel
