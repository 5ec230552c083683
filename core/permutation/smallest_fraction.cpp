#include "permutation/smallest_fraction.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "passes/order.hpp"

namespace proxel::permutation {

void check_recall(double recall) {
  if (!(recall > 0 && recall <= 1))
    throw Error(ErrorCode::invalid_argument, "recall",
                fmt::format("{} was given, more than 0 and at most 1 is allowed", recall));
}

FractionChoice smallest_fraction(double recall, double least, std::uint64_t queries, const Progress& progress,
                                 const std::function<double(double)>& recall_at) {
  constexpr double precision = 1.05;
  FractionChoice best{1, 1, queries};
  const auto steps =
      static_cast<std::uint64_t>(1 + std::ceil(std::log2(std::max(std::log(1 / least) / std::log(precision), 1.0))));
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

FractionChoice smallest_fraction_of_nearest(double recall, std::uint64_t k, const NearestSample& sample,
                                            const Progress& progress,
                                            const std::function<Neighbors(std::uint64_t, double)>& search) {
  // Distance keys of each query's k nearest, itself left out: NaN is as far as NaN.
  const bool leaves_out = !sample.held_out.empty();
  const auto nearest = [&](double fraction) {
    const std::uint64_t asked = leaves_out ? k + 1 : k;
    const Neighbors found = search(asked, fraction);
    std::vector<std::uint32_t> keys;
    for (std::uint64_t query = 0; query < sample.queries; ++query) {
      const std::size_t begin = keys.size();
      for (std::uint64_t rank = 0; rank < asked; ++rank)
        if (!leaves_out || found.indices(query, rank) != sample.held_out[query])
          keys.push_back(passes::distance_key(found.distances(query, rank), sample.largest_first));
      keys.resize(begin + k);  // one too many where it did not find itself
    }
    return keys;
  };
  const std::vector<std::uint32_t> exact = nearest(1);
  const double least = static_cast<double>(std::min(k, sample.objects)) / static_cast<double>(sample.objects);
  return smallest_fraction(recall, least, sample.queries, progress, [&](double fraction) {
    const std::vector<std::uint32_t> found = nearest(fraction);
    std::uint64_t hits = 0;
    for (std::size_t slot = 0; slot < found.size(); ++slot) hits += found[slot] <= exact[slot / k * k + k - 1] ? 1 : 0;
    return static_cast<double>(hits) / static_cast<double>(found.size());
  });
}

}  // namespace proxel::permutation
