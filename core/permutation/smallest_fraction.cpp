#include "permutation/smallest_fraction.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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

}  // namespace proxel::permutation
