#include "strings/fraction_choice.hpp"

#include <algorithm>

#include "permutation/smallest_fraction.hpp"

namespace proxel::strings {

using permutation::check_recall;
using permutation::smallest_fraction;
using permutation::smallest_fraction_of_nearest;

namespace {

// How many are within the radius of all queries together, each left out of its own.
std::uint64_t within(PermutationIndex& index, const FractionSample& sample, float radius, double fraction) {
  const RangeNeighbors found = index.range_search(sample.queries, radius, fraction);
  std::uint64_t count = found.indices.size();
  for (std::uint64_t query = 0; query < sample.held_out.size(); ++query) {
    const auto begin = found.indices.begin() + static_cast<std::ptrdiff_t>(found.offsets[query]);
    const auto end = found.indices.begin() + static_cast<std::ptrdiff_t>(found.offsets[query + 1]);
    count -= std::find(begin, end, sample.held_out[query]) != end ? 1 : 0;
  }
  return count;
}

}  // namespace

FractionChoice choose_fraction(PermutationIndex& index, double recall, std::uint64_t k, const FractionSample& sample,
                               const Progress& progress) {
  check_recall(recall);
  return smallest_fraction_of_nearest(
      recall, k, {index.size(), sample.queries.size(), sample.held_out}, progress,
      [&](std::uint64_t asked, double fraction) { return index.search(sample.queries, asked, fraction); });
}

FractionChoice choose_range_fraction(PermutationIndex& index, double recall, float radius, const FractionSample& sample,
                                     const Progress& progress) {
  check_recall(recall);
  const std::uint64_t exact = within(index, sample, radius, 1);
  // Nothing to find says nothing of what a fraction would find.
  if (exact == 0) return {1, 1, sample.queries.size()};
  return smallest_fraction(recall, 1 / static_cast<double>(index.size()), sample.queries.size(), progress,
                           [&](double fraction) {
    return static_cast<double>(within(index, sample, radius, fraction)) / static_cast<double>(exact);
  });
}

}  // namespace proxel::strings
