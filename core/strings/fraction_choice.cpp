#include "strings/fraction_choice.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace proxel::strings {
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

// The smallest fraction whose recall is enough; recall grows with the fraction.
// @param least  the smallest fraction that may be
FractionChoice smallest(double recall, double least, std::uint64_t queries, const Progress& progress,
                        const std::function<double(double)>& recall_at) {
  constexpr double precision = 1.05;
  FractionChoice best{1, 1, queries};
  const auto steps = static_cast<std::uint64_t>(
      1 + std::ceil(std::log2(std::max(std::log(1 / least) / std::log(precision), 1.0))));
  std::uint64_t step = 0;
  const auto reaches = [&](double fraction) {
    const double reached = recall_at(fraction);
    if (progress) progress(std::min(++step, steps), steps);
    if (reached < recall) return false;
    best.fraction = fraction;
    best.recall = reached;
    return true;
  };
  double too_small = least;
  if (reaches(least)) return best;
  while (best.fraction > too_small * precision) {
    const double middle = std::sqrt(too_small * best.fraction);
    if (!reaches(middle)) too_small = middle;
  }
  return best;
}

void check(double recall) {
  if (!(recall > 0 && recall <= 1))
    throw Error(ErrorCode::invalid_argument, "recall",
                fmt::format("{} was given, more than 0 and at most 1 is allowed", recall));
}

}  // namespace

FractionChoice choose_fraction(PermutationIndex& index, double recall, std::uint64_t k,
                               const FractionSample& sample, const Progress& progress) {
  check(recall);
  const std::vector<float> exact = nearest(index, sample, k, 1);
  const double least = static_cast<double>(std::min(k, index.size())) / static_cast<double>(index.size());
  return smallest(recall, least, sample.queries.size(), progress, [&](double fraction) {
    const std::vector<float> found = nearest(index, sample, k, fraction);
    std::uint64_t hits = 0;
    for (std::size_t slot = 0; slot < found.size(); ++slot)
      hits += found[slot] <= exact[slot / k * k + k - 1] ? 1 : 0;
    return static_cast<double>(hits) / static_cast<double>(found.size());
  });
}

FractionChoice choose_range_fraction(PermutationIndex& index, double recall, float radius,
                                     const FractionSample& sample, const Progress& progress) {
  check(recall);
  const std::uint64_t exact = within(index, sample, radius, 1);
  // Nothing to find says nothing of what a fraction would find.
  if (exact == 0) return {1, 1, sample.queries.size()};
  return smallest(recall, 1 / static_cast<double>(index.size()), sample.queries.size(), progress,
                  [&](double fraction) {
                    return static_cast<double>(within(index, sample, radius, fraction)) /
                           static_cast<double>(exact);
                  });
}

}  // namespace proxel::strings
