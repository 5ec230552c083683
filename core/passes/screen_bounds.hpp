#pragma once

// The constants of docs/proofs/screened.md. All are rounded up where it matters, so
// that bounds computed in binary32 hold.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "passes/memory.hpp"
#include "proxel/metric.hpp"
#include "proxel/passes/screen_bound.h"
#include "proxel/passes/screen_integers.h"

namespace proxel::passes {

/// What screen_pack writes per query, and screen_threshold and screen_refine read.
struct QueryBounds {
  /// A score errs by at most a*X + b*Y + c*Z + W of the row's tile. Of screen_codes Z is 0, and a sum of codes is multiplied by c.
  float a, b, c;
  float certifiable;
  float half_norm;
  float relative_slack;
  float fixed_slack;
  float estimated;  ///< where certifiable is screen_estimated: the threshold
};
/// The bounds of a query, or at address 0 those of exact scores.
inline QueryBounds query_bounds_at(std::uint64_t address, std::uint64_t query) {
  if (address == 0) return {0, 0, 0, 1, 0, 0, 0, 0};
  return at<const QueryBounds>(address)[query];
}
/// The bounds of the rows of a tile: X, Y, Z, W.
struct TileBounds {
  float x, y, z, w;
};

/// Covers sums of binary32 in any order, roots, and the evaluation of an error.
inline double norm_rounding(std::uint32_t dimensions) {
  return 1.0 + (static_cast<double>(dimensions) + 64.0) * 0x1p-22;
}
/// Squares that underflow: added to a squared norm before its root is taken.
inline double norm_underflow(std::uint32_t dimensions) { return static_cast<double>(dimensions) * 0x1p-125; }
/// kappa of a product over `depth` terms.
inline double product_rounding(std::uint32_t depth) {
  return 1.25 * (depth + 2.0 * ((depth + 15) / 16) + 2.0) * 0x1p-23;
}
/// kappa of a sum of 16 products in half precision (docs/proofs/screened.md, "Sums in half precision").
inline constexpr double half_sum_rounding = 1.25 * 0x1p-11;
/// Of plain halves a coordinate's square counts as often as its product is rounded.
constexpr std::uint32_t half_sum_weight(std::uint32_t dimensions, std::uint32_t dimension) {
  return (dimensions + 15) / 16 - dimension / 16;
}
/// kappa of a sum of 8-bit codes, which is exact until it becomes a score.
inline constexpr double code_rounding = 0x1p-21;
/// Whether scores of codes are sums of products, not of differences.
constexpr bool is_product(Metric metric) { return metric == Metric::l2sq || metric == Metric::ip; }
/// gamma: relative error of a canonical distance.
inline double canonical_rounding(std::uint32_t dimensions) {
  return 1.01 * (static_cast<double>(dimensions) + 4.0) * 0x1p-24;
}
/// eta: absolute error of a canonical distance whose terms underflow.
inline double canonical_underflow(std::uint32_t dimensions) { return static_cast<double>(dimensions) * 0x1p-125; }

/// What a score of integers misses of the true score (screen_integers): a half by l2sq, and what binary32 rounds of a score
/// of up to 2^15 times the dimensions.
inline float integer_score_error(std::uint32_t dimensions, bool inner_product) {
  return (inner_product ? 0.0f : 0.5f) +
         (dimensions <= screen_exact_scores ? 0.0f : static_cast<float>(dimensions) * 0x1p-8f);
}
/// gamma of integers of a byte.
inline double integer_rounding(std::uint32_t dimensions) {
  return dimensions <= screen_exact_distances ? 0 : canonical_rounding(dimensions);
}

/// Terms of the product that screen_tiles computes.
constexpr std::uint32_t screen_depth(std::uint32_t dimensions, bool split) {
  return split ? 3 * dimensions : dimensions;
}

inline float score_error(const QueryBounds& query, const TileBounds& tile) {
  return query.a * tile.x + query.b * tile.y + query.c * tile.z + tile.w;
}

/// Whether what was collected bears out the query's threshold, where that is an estimate.
/// @param least  the score below which no row is among the k nearest, by what was collected
inline bool bears_out(const QueryBounds& query, float least) {
  return query.certifiable != screen_estimated || least >= query.estimated;
}

/// Least lower bound that certifies: rows whose squared norm overflows, and are
/// not screened, score less.
inline constexpr float least_certifying_bound = -0x1p120f;

/// The score below which no row is among the k nearest, where the k-th best row
/// scores at least `lower_bound`; lowered by the rounding of its own evaluation.
inline float screening_threshold(const QueryBounds& query, float lower_bound) {
  const float rounding = 0x1p-20f * (std::fabs(lower_bound) + query.half_norm);
  return lower_bound - query.relative_slack * std::max(query.half_norm - lower_bound, 0.0f) - query.fixed_slack -
         rounding;
}

}  // namespace proxel::passes
