// What screen_matrix.glsl has of sums in half precision.
#ifndef PROXEL_SCREEN_HALF_SUMS_GLSL
#define PROXEL_SCREEN_HALF_SUMS_GLSL
#include "half.glsl"

// What is added to sums, and what they have to be then. Halves of these are rounded so that no row is missed, and that a sample's
// scores are not above what they are: by more than a half's last place, and by more than the largest half that a device may take for zero.
const float past_rounding = 1.0 / 512.0;
const float past_subnormal = 1.0 / 8192.0;
shared float16_t bias_halves[tile_rows];
shared float16_t least_halves[tile_rows];

void store_bias(uint row, float bias) {
  biases[row] = bias;
  const float past = abs(bias) * past_rounding + past_subnormal;
  // Collecting, above it; sampling, below it.
  const float rounded = COLLECTS != 0u ? max(bias + past, -largest_half) : bias - past;
  bias_halves[row] = is_finite(bias) && rounded >= -largest_half ? float16_t(rounded) : float16_t(-infinity);
}
void store_asked(uint query, float wanted) {
  asked[query] = wanted;
  if (COLLECTS == 0u) return;
  // Where less is asked than halves are, the list counts as full, which leaves the query to the next rung.
  const bool beyond = wanted < -largest_half;
  if (beyond) atomicMax(list_counts[query], p.capacity + 1u);
  least_halves[query] = beyond || wanted > largest_half
                            ? float16_t(infinity)
                            : float16_t(max(wanted - abs(wanted) * past_rounding - past_subnormal, -largest_half));
}

f16vec4 halves_of(uvec2 bits) { return f16vec4(unpackFloat2x16(bits.x), unpackFloat2x16(bits.y)); }
uvec2 bits_of_halves(uvec4 numbers) {
  return uvec2(packFloat2x16(f16vec2(numbers.xy)), packFloat2x16(f16vec2(numbers.zw)));
}

// Where a sum may have overflowed its error is infinite, so that any number will do.
float value_of_sum(float16_t sum, uint row_of_tile) {
  const float value = float(sum);
  return (is_finite(value) ? value : 0.0) + biases[row_of_tile];
}
f16vec4 allowed_scores(f16vec4 scores, uint four_bits) {
  return mix(f16vec4(-infinity), scores, four_allowed(four_bits));
}
float16_t best_of(f16vec4 a) { return max(max(a.x, a.y), max(a.z, a.w)); }
// The lower bound of a score that is a sum and a bias below its own, added as halves. One that is as large as halves are may be much
// less: an adder that cuts off does not overflow.
float below_of_score(float16_t score) {
  const float value = float(score);
  return abs(value) < largest_half ? value - (abs(value) * past_rounding + past_subnormal) : -infinity;
}

#endif
