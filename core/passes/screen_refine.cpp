#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "passes/collected_rows.hpp"
#include "passes/decoded_distance.hpp"
#include "passes/evaluated_rows.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/smallest.hpp"
#include "passes/strided_queries.hpp"
#include "proxel/passes/screen_refine.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

namespace {

// Room for the rows that lie within the error of the k-th beside the k; little
// shared memory lets many workgroups run at a time.
std::uint32_t refine_list_length(std::uint32_t k, std::uint32_t least_survivors) {
  return std::min(std::max(least_survivors, std::bit_ceil(2 * k)), passes::screen_most_survivors);
}

// What a shader has in shared memory beside the pool.
std::uint32_t refine_bytes(std::uint32_t list_length) {
  constexpr std::uint32_t words = 16;
  return 8 * list_length + 4 * words;
}
// A candidate of the pool has three words.
constexpr std::uint32_t pool_row_bytes = 12;

}  // namespace

std::uint32_t passes::screen_refine_pool(std::uint32_t shared_memory_bytes, std::uint32_t wanted, std::uint32_t k,
                                         std::uint32_t least_survivors) {
  const std::uint32_t bytes = refine_bytes(refine_list_length(k, least_survivors));
  const std::uint32_t room = (shared_memory_bytes - std::min(shared_memory_bytes, bytes)) / pool_row_bytes;
  const auto wanted_room = static_cast<std::uint32_t>(divide_up(wanted, 128) * 128);
  return std::min({wanted_room, screen_most_collected, room / 128 * 128});
}

Pass passes::make_screen_refine(const ScreenRefineParameters& parameters, Metric metric, std::uint32_t pool, bool few,
                                std::uint32_t least_survivors, std::uint32_t element, std::uint32_t workgroup_size) {
  const std::uint32_t length = refine_list_length(parameters.k, least_survivors);
  const std::uint32_t groups = strided_queries(parameters.query_count, few);
  const std::uint32_t shared_bytes = refine_bytes(length) + std::max(pool_row_bytes * pool, 4 * screen_staged_words);
  return make_pass(screen_refine, parameters,
                   {.metric = accumulated(metric), .list_length = length, .pool = pool, .element = element},
                   {groups, 1, 1}, workgroup_size, shared_bytes);
}

namespace {

using namespace passes;

// Keys of the k nearest, or nothing where the collected rows do not decide.
std::optional<std::vector<std::uint64_t>> nearest_keys(const ScreenRefineParameters& parameters,
                                                       const ScreenRefineConstants& constants, std::uint64_t slot,
                                                       std::uint64_t query, const EvaluateRows& evaluate) {
  const std::optional<std::vector<std::uint32_t>> rows = surviving_rows(parameters, slot);
  if (!rows || rows->size() > constants.list_length) return {};
  std::vector<std::uint64_t> keys(rows->size());
  evaluate(at<const float>(parameters.queries) + query * parameters.dimensions, *rows, keys.data());
  // A query that is bounded may have fewer.
  const bool few = keys.size() < parameters.k;
  keys.resize(std::max<std::size_t>(keys.size(), parameters.k), no_row_key);
  std::vector<std::uint64_t> nearest(parameters.k);
  write_smallest(keys, parameters.k, nearest.data());
  // Where the k-th distance overflows, so may those of rows that were discarded.
  const float last = value_of_distance_key(distance_key_of(nearest.back()), largest_first(constants.metric));
  if (!few && !std::isfinite(last)) return {};
  return nearest;
}

}  // namespace

void passes::refine(const Pass& pass, const EvaluateRows& evaluate) {
  const auto parameters = pass.as<ScreenRefineParameters>();
  const auto constants = pass.constants_as<ScreenRefineConstants>();
  const auto metric = constants.metric;
  auto* undecided = at<std::uint32_t>(parameters.undecided);
  const auto* selected = at<const std::uint32_t>(parameters.selected);
  for (std::uint64_t slot = 0; slot < parameters.query_count; ++slot) {
    const std::uint64_t entry = parameters.first_selected + slot;
    if (selected && entry >= selected[0]) break;
    const std::uint64_t query = selected ? selected[4 + entry] : slot;
    const std::optional<std::vector<std::uint64_t>> keys = nearest_keys(parameters, constants, slot, query, evaluate);
    if (!keys) undecided[4 + undecided[0]++] = static_cast<std::uint32_t>(parameters.first_query + query);
    for (std::uint64_t rank = 0; keys && rank < keys->size(); ++rank) {
      const std::uint64_t result = query * parameters.k + rank;
      at<std::uint32_t>(parameters.indices)[result] = index_of((*keys)[rank]);
      at<float>(parameters.distances)[result] =
          decoded_distance((*keys)[rank], largest_first(metric), parameters.finish);
    }
  }
}

PROXEL_THREADED_PASS(screen_refine)(const Pass& pass) {
  refine(pass, one_by_one(pass.as<ScreenRefineParameters>(), pass.constants_as<ScreenRefineConstants>()));
}

}  // namespace proxel
