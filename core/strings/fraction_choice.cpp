#include "strings/fraction_choice.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace proxel::strings {
namespace {

// The distances of each query's k nearest, itself left out.
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

double recall_of(const std::vector<float>& found, const std::vector<float>& exact, std::uint64_t k) {
  std::uint64_t hits = 0;
  for (std::size_t slot = 0; slot < found.size(); ++slot)
    hits += found[slot] <= exact[slot / k * k + k - 1] ? 1 : 0;
  return static_cast<double>(hits) / static_cast<double>(found.size());
}

}  // namespace

FractionChoice choose_fraction(PermutationIndex& index, double recall, std::uint64_t k,
                               const FractionSample& sample, const Progress& progress) {
  if (!(recall > 0 && recall <= 1))
    throw Error(ErrorCode::invalid_argument, "recall",
                fmt::format("{} was given, more than 0 and at most 1 is allowed", recall));
  if (index.size() == 0) return {};
  constexpr double precision = 1.05;
  const std::vector<float> exact = nearest(index, sample, k, 1);
  const auto count = static_cast<double>(index.size());
  double too_few = static_cast<double>(std::min(k, index.size())) / count;
  FractionChoice best{1, 1, sample.queries.size()};
  const auto steps = static_cast<std::uint64_t>(
      std::ceil(std::log2(std::max(std::log(1 / too_few) / std::log(precision), 1.0)))) + 1;
  const auto reaches = [&](double fraction) {
    const double reached = recall_of(nearest(index, sample, k, fraction), exact, k);
    if (reached < recall) return false;
    best.fraction = fraction;
    best.recall = reached;
    return true;
  };
  std::uint64_t step = 0;
  const auto tell = [&] {
    if (progress) progress(std::min(++step, steps), steps);
  };
  tell();
  if (reaches(too_few)) return best;
  while (best.fraction > too_few * precision) {
    tell();
    const double middle = std::sqrt(too_few * best.fraction);
    if (!reaches(middle)) too_few = middle;
  }
  return best;
}

}  // namespace proxel::strings
