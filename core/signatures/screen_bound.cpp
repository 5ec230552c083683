#include "signatures/screen_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "signatures/packed_signatures.hpp"

namespace proxel::signatures {
namespace {

void widen(std::vector<float>& least, std::vector<float>& most, std::span<const float> centroids) {
  for (std::size_t i = 0; i < centroids.size(); ++i) {
    const std::size_t k = i % least.size();
    least[k] = std::min(least[k], centroids[i]);
    most[k] = std::max(most[k], centroids[i]);
  }
}

// Squares of distances, of such weights together.
bool in_range(double weights, double largest_similarity) {
  return weights * weights * std::max(largest_similarity, 1.0) < 1e36;
}

float rounded_up(double value) {
  return static_cast<float>(std::min(value * 1.001, double{std::numeric_limits<float>::max()}));
}

}  // namespace

ScreenBound::ScreenBound(const Signatures& signatures, const SimilarityFunction& function)
    : function_(function),
      longest_(signatures.longest()),
      least_(signatures.dimensions(), std::numeric_limits<float>::infinity()),
      most_(signatures.dimensions(), -std::numeric_limits<float>::infinity()) {
  for (std::uint64_t i = 0; i < signatures.size(); ++i)
    largest_weight_ = std::max(largest_weight_, total_weight(signatures, i));
  widen(least_, most_, signatures.centroids());
}

double ScreenBound::largest_similarity(std::span<const float> centroids) const {
  if (function_.kind == Similarity::heuristic) return 1.0 / function_.alpha;
  if (function_.kind == Similarity::gaussian) return 1;
  std::vector<float> least = least_, most = most_;
  widen(least, most, centroids);
  double diagonal = 0;
  for (std::size_t k = 0; k < least.size(); ++k) {
    const double side = static_cast<double>(most[k]) - least[k];
    diagonal += side * side;
  }
  return std::sqrt(diagonal) + 0x1p-36;
}

double ScreenBound::of(const Signatures& queries, std::uint64_t i) const {
  constexpr double unit = 0x1p-24;
  const double largest = largest_similarity(queries.centroids(i));
  const double of_query = total_weight(queries, i);
  const double sum = of_query + largest_weight_;
  if (!in_range(sum, largest)) return std::numeric_limits<double>::infinity();
  const double of_similarity = (0.5 * queries.dimensions() + 16) * unit;
  const double of_sums = static_cast<double>(queries.length(i) + longest_ + 8) * unit;
  return 2 * of_query * largest_weight_ * largest * (of_similarity + of_sums) +
         (6 * unit + 0x1p-36) * sum * sum * largest + 1e-36;
}

bool ScreenBound::serves(const Signatures& queries) const {
  for (std::uint64_t i = 0; i < queries.size(); ++i)
    if (!std::isfinite(of(queries, i))) return false;
  return true;
}

bool ScreenBound::serves_own() const { return in_range(2 * largest_weight_, largest_similarity({})); }

float ScreenBound::margin(const Signatures& queries, std::uint64_t i) const { return rounded_up(2 * of(queries, i)); }

float ScreenBound::limit(const Signatures& queries, std::uint64_t i, float radius) const {
  if (radius < 0) return -std::numeric_limits<float>::infinity();
  const double square = static_cast<double>(radius) * radius;
  return rounded_up(square * (1 + 0x1p-20) + of(queries, i));
}

}  // namespace proxel::signatures
