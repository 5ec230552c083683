// The bounds of docs/proofs/screened.md, as core/passes/screen_bounds.hpp has them.
#ifndef PROXEL_SCREEN_BOUNDS_GLSL
#define PROXEL_SCREEN_BOUNDS_GLSL
#include "address.glsl"
#include "finite.glsl"
#include "proxel/passes/screen_bound.h"

const float infinity = 1.0 / 0.0;
const float largest_float = 3.40282347e+38;
const float least_certifying_bound = -1.32922800e+36;  // -2^120
// Powers of two.
const float two_to_minus_20 = 1.0 / 1048576.0;
const float two_to_minus_22 = two_to_minus_20 / 4.0;
const float two_to_minus_23 = two_to_minus_20 / 8.0;
const float two_to_minus_24 = two_to_minus_20 / 16.0;

// Covers sums of binary32 in any order, roots, and the evaluation of an error.
float norm_rounding(uint dimensions) {
  return 1.0 + (float(dimensions) + 64.0) * two_to_minus_22;
}
// Squares that underflow: added to a squared norm before its root is taken.
// 2^-125 each.
float norm_underflow(uint dimensions) { return float(dimensions) * uintBitsToFloat(2u << 23); }
// kappa of a product over `depth` terms.
float product_rounding(uint depth) {
  return 1.25 * float(depth + 2u * ((depth + 15u) / 16u) + 2u) * two_to_minus_23;
}
// kappa of a sum of 16 products in half precision, and how often a product is rounded.
const float half_sum_rounding = 1.25 / 2048.0;
float half_sum_weight(uint dimensions, uint dimension) { return float((dimensions + 15u) / 16u - dimension / 16u); }
// gamma: relative error of a canonical distance.
float canonical_rounding(uint dimensions) {
  return 1.01 * (float(dimensions) + 4.0) * two_to_minus_24;
}

// What screen_pack writes per query: a, b, c, certifiable; half_norm,
// relative_slack, fixed_slack, 0 or an estimated threshold. And per tile: x, y, z, w.
float score_error(vec4 query, vec4 tile) {
  return query.x * tile.x + query.y * tile.y + query.z * tile.z + tile.w;
}

// A query's bounds in two parts; at address 0 those of exact scores.
// @param other  32 bytes that can be read, 16-byte aligned
struct QueryBounds {
  vec4 error;   // a, b, c, which is the factor of codes, certifiable
  vec4 slacks;  // half_norm, relative_slack, fixed_slack, 0 or an estimated threshold
};
QueryBounds query_bounds_at(uvec2 address, uint query, uvec2 other) {
  const bool given = !is_null(address);
  Float4sIn own = Float4sIn(readable(given, advance(address, query, 32u), other));
  return QueryBounds(mix(vec4(0.0, 0.0, 0.0, 1.0), own.values[0], bvec4(given)),
                     mix(vec4(0.0), own.values[1], bvec4(given)));
}

// Whether a query's threshold came from a known distance (screen_bound).
bool is_bounded(QueryBounds bounds) { return bounds.error.w == float(screen_bounded); }

// Whether what was collected bears out a query's threshold, where that is an estimate (screen_threshold).
// @param least  screening_threshold() of what was collected
bool bears_out(QueryBounds bounds, float least) {
  return bounds.error.w != float(screen_estimated) || least >= bounds.slacks.w;
}

// The score below which no row is among the k nearest, where the k-th best
// row scores at least `lower_bound`; lowered by its own rounding.
float screening_threshold(vec4 slacks, float lower_bound) {
  // The same wherever it is evaluated, as estimates are compared with what bears them out.
  precise float rounding = two_to_minus_20 * (abs(lower_bound) + slacks.x);
  precise float threshold = lower_bound - slacks.y * max(slacks.x - lower_bound, 0.0) - slacks.z - rounding;
  return threshold;
}

#endif
