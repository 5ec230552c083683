#include "permutation/permutants.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "search/check.hpp"

namespace proxel::permutation {
namespace {

// A number below `limit`, each as likely.
std::uint32_t uniform(std::mt19937_64& random, std::uint32_t limit) {
  const std::uint64_t fair = UINT64_MAX - UINT64_MAX % limit;
  std::uint64_t number;
  do number = random();
  while (number >= fair);
  return static_cast<std::uint32_t>(number % limit);
}

}  // namespace

std::vector<std::uint32_t> random_sample(std::uint64_t count, std::uint64_t wanted, std::uint64_t seed) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  wanted = std::min(wanted, count);
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < wanted; ++i)
    std::swap(all[i], all[i + uniform(random, static_cast<std::uint32_t>(count - i))]);
  all.resize(wanted);
  return all;
}

std::vector<std::uint32_t> choose_permutants(const PermutationOptions& options, std::uint64_t count) {
  search::require_enumerator("distance", options.distance, passes::PermutationDistance::kendall_tau);
  search::require_enumerator("selection", options.selection, last_selection_method);
  if (!options.chosen.empty()) {
    search::require_range("permutants", options.chosen.size(), 1, passes::most_permutants);
    for (const std::uint32_t index : options.chosen) search::require_range("permutant", index, 0, count - 1);
    return options.chosen;
  }
  search::require_range("permutants", options.permutants, 1, passes::most_permutants);
  return random_sample(count, options.permutants, options.seed);
}

std::uint32_t kept_permutants(const PermutationOptions& options, std::uint32_t permutants) {
  if (options.prefix == 0) return permutants;
  search::require_range("prefix", options.prefix, 1, passes::most_permutants);
  return std::min(options.prefix, permutants);
}

std::uint64_t candidate_count(std::uint64_t objects, std::uint64_t k, double fraction) {
  if (!(fraction > 0 && fraction <= 1))
    throw Error(ErrorCode::invalid_argument, "fraction",
                fmt::format("{} was given, more than 0 and at most 1 is allowed", fraction));
  // What the binary fraction is above the decimal one that was meant is not rounded up.
  const double share = fraction * static_cast<double>(objects);
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share - 1e-9 * share));
  return std::min(std::max(wanted, k), objects);
}

}  // namespace proxel::permutation
