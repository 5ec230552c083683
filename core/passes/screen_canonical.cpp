#include <algorithm>
#include <bit>
#include <limits>

#include "passes/canonical.hpp"
#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/tiles.hpp"
#include "proxel/passes/screen_canonical.h"
#include "proxel/passes/screen_tiles.h"

namespace proxel {

Pass passes::make_screen_canonical(const ScreenCanonicalParameters& parameters, Metric metric, ScreenPurpose purpose,
                                   std::uint32_t width, bool few) {
  const std::uint32_t side = tile_side(width);
  const auto blocks = static_cast<std::uint32_t>(divide_up(parameters.slots, side));
  const std::uint32_t rows_of_groups = few ? std::min(blocks, 16u) : blocks;
  return make_pass(screen_canonical, parameters,
                   {.width = width, .metric = accumulated(metric), .collects = static_cast<std::uint32_t>(purpose)},
                   {parameters.splits, rows_of_groups, 1}, width * width, staged_bytes(width) + side * 8);
}

namespace {

using namespace passes;

// The number of the query that a slot stands for, or none.
constexpr std::uint32_t no_query = 0xFFFFFFFFu;
std::uint32_t query_of(const ScreenCanonicalParameters& parameters, std::uint32_t slot) {
  if (parameters.selected == 0) return slot;
  const auto* words = at<const std::uint32_t>(parameters.selected);
  const std::uint64_t entry = std::uint64_t{parameters.first_selected} + slot;
  return entry < words[0] ? words[4 + entry] : no_query;
}

// NaN where there is none.
float score_of(const ScreenCanonicalParameters& parameters, Metric metric, std::uint32_t query, std::uint64_t row) {
  const Filter filter(parameters.filter_bits, query, parameters.filter_stride);
  if (!filter.allows(parameters.first_index + row)) return std::numeric_limits<float>::quiet_NaN();
  const float* values = at<const float>(parameters.queries) + std::uint64_t{query} * parameters.query_stride;
  const float distance = canonical_distance(metric, values, parameters.rows, row, parameters.dimensions);
  return largest_first(metric) ? distance : -distance;
}

void sample(const ScreenCanonicalParameters& parameters, Metric metric, std::uint32_t slot, std::uint32_t query) {
  constexpr std::uint32_t group_rows = tile_rows / screen_canonical_groups;
  auto* found = at<float>(parameters.found) + std::uint64_t{slot} * parameters.tile_count * screen_canonical_groups;
  for (std::uint64_t i = 0; i < parameters.tile_count; ++i)
    for (std::uint64_t group = 0; group < screen_canonical_groups; ++group) {
      const std::uint64_t first = (parameters.first_tile + parameters.tile_step * i) * tile_rows + group * group_rows;
      float best = -std::numeric_limits<float>::infinity();
      for (std::uint64_t row = first; row < std::min<std::uint64_t>(first + group_rows, parameters.rows.count); ++row) {
        const float score = score_of(parameters, metric, query, row);
        if (score > best) best = score;
      }
      found[i * screen_canonical_groups + group] = best;
    }
}

void collect(const ScreenCanonicalParameters& parameters, Metric metric, std::uint32_t slot, std::uint32_t query) {
  for (std::uint64_t i = 0; i < parameters.tile_count; ++i) {
    const std::uint64_t list = std::uint64_t{slot} * parameters.splits + i % parameters.splits;
    std::uint32_t& count = at<std::uint32_t>(parameters.counts)[list];
    auto* found = at<std::uint32_t>(parameters.found) + 2 * list * parameters.capacity;
    const std::uint64_t first = (parameters.first_tile + parameters.tile_step * i) * tile_rows;
    for (std::uint64_t row = first; row < std::min<std::uint64_t>(first + tile_rows, parameters.rows.count); ++row) {
      const float score = score_of(parameters, metric, query, row);
      if (!(score >= at<const float>(parameters.thresholds)[slot])) continue;
      if (count < parameters.capacity) {
        found[2 * count] = std::bit_cast<std::uint32_t>(score);
        found[2 * count + 1] = static_cast<std::uint32_t>(parameters.first_index + row);
      }
      ++count;
    }
  }
}

}  // namespace

PROXEL_PASS(screen_canonical)(const Pass& pass) {
  const auto parameters = pass.as<ScreenCanonicalParameters>();
  const auto constants = pass.constants_as<ScreenCanonicalConstants>();
  const auto metric = constants.metric;
  for (std::uint32_t slot = 0; slot < parameters.slots; ++slot) {
    const std::uint32_t query = query_of(parameters, slot);
    if (query == no_query) break;
    if (constants.collects == static_cast<std::uint32_t>(ScreenPurpose::sample))
      sample(parameters, metric, slot, query);
    else
      collect(parameters, metric, slot, query);
  }
}

}  // namespace proxel
