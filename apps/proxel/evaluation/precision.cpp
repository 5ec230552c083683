#include "evaluation/precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "seeded.hpp"

namespace proxel::tool {

PrecisionCount::PrecisionCount(const Classes& classes) : classes_(classes), sums_(classes.names.size()) {}

void PrecisionCount::add(std::uint64_t query, std::span<const std::uint32_t> nearest) {
  const std::uint32_t looked_for = classes_.of[query];
  Sums& sums = sums_[looked_for];
  for (std::size_t r = 0; r < precision_ranks.size(); ++r) {
    const auto seen = nearest.first(std::min<std::size_t>(nearest.size(), precision_ranks[r]));
    const auto right =
        std::ranges::count_if(seen, [&](std::uint32_t image) { return classes_.of[image] == looked_for; });
    const double share = static_cast<double>(right) / static_cast<double>(precision_ranks[r]);
    sums.shares[r] += share;
    sums.squares[r] += share * share;
  }
  sums.chance += static_cast<double>(classes_.sizes[looked_for] - 1) / static_cast<double>(classes_.of.size() - 1);
  ++sums.queries;
}

Precision PrecisionCount::mean(const Sums& sums) {
  Precision precision;
  precision.queries = sums.queries;
  if (sums.queries == 0) return precision;
  const auto count = static_cast<double>(sums.queries);
  for (std::size_t r = 0; r < precision_ranks.size(); ++r) {
    const double at = precision.at[r] = sums.shares[r] / count;
    precision.standard_error[r] = sums.queries < 2
                                      ? std::numeric_limits<double>::infinity()
                                      : std::sqrt(std::max(0.0, sums.squares[r] / count - at * at) / (count - 1));
  }
  precision.chance = sums.chance / count;
  return precision;
}

Precision PrecisionCount::of_all() const {
  Sums all;
  for (const Sums& sums : sums_) {
    all.queries += sums.queries;
    all.chance += sums.chance;
    for (std::size_t r = 0; r < precision_ranks.size(); ++r) {
      all.shares[r] += sums.shares[r];
      all.squares[r] += sums.squares[r];
    }
  }
  return mean(all);
}

std::vector<std::uint32_t> drawn_images(std::uint64_t images, std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> drawn;
  for (const std::uint64_t image : shuffled(images, seed)) {
    if (drawn.size() == count) break;
    drawn.push_back(static_cast<std::uint32_t>(image));
  }
  std::ranges::sort(drawn);
  return drawn;
}

}  // namespace proxel::tool
