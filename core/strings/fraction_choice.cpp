#include "strings/fraction_choice.hpp"

#include <algorithm>

#include "permutation/smallest_fraction.hpp"

namespace proxel::strings {

using permutation::check_recall;
using permutation::smallest_fraction;

namespace {

// Distances of each query's k nearest, itself left out.
std::vector<float> nearest(PermutationIndex& index, const FractionSample& sample, std::uint64_t k,
                           double fraction) {
  const bool leaves_out = !sample.held_out.empty();
  const std::uint64_t asked = leaves_out ? k + 1 : k;
  const Neighbors found = index.search(sample.queries, asked, fraction);
  std::vector<float> distances;
  for (std::uint64_t query = 0; query < sample.queries.size(); ++query) {
    const std::size_t begin = distances.size();
    for (std::uint64_t rank = 0; rank < asked; ++rank)
      if (!leaves_out || found.indices(query, rank) != sample.held_out[query])
        distances.push_back(found.distances(query, rank));
    distances.resize(begin + k);  // one too many where it did not find itself
  }
  return distances;
}

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

FractionChoice choose_fraction(PermutationIndex& index, double recall, std::uint64_t k,
                               const FractionSample& sample, const Progress& progress) {
  check_recall(recall);
  const std::vector<float> exact = nearest(index, sample, k, 1);
  const double least = static_cast<double>(std::min(k, index.size())) / static_cast<double>(index.size());
  return smallest_fraction(recall, least, sample.queries.size(), progress, [&](double fraction) {
    const std::vector<float> found = nearest(index, sample, k, fraction);
    std::uint64_t hits = 0;
    for (std::size_t slot = 0; slot < found.size(); ++slot)
      hits += found[slot] <= exact[slot / k * k + k - 1] ? 1 : 0;
    return static_cast<double>(hits) / static_cast<double>(found.size());
  });
}

FractionChoice choose_range_fraction(PermutationIndex& index, double recall, float radius,
                                     const FractionSample& sample, const Progress& progress) {
  check_recall(recall);
  const std::uint64_t exact = within(index, sample, radius, 1);
  // Nothing to find says nothing of what a fraction would find.
  if (exact == 0) return {1, 1, sample.queries.size()};
  return smallest_fraction(recall, 1 / static_cast<double>(index.size()), sample.queries.size(), progress,
                  [&](double fraction) {
                    return static_cast<double>(within(index, sample, radius, fraction)) /
                           static_cast<double>(exact);
                  });
}

}  // namespace proxel::strings
