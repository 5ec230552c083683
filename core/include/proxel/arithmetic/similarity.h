// How alike two centroids are, and what signatures' weights make of it, in float-float.
// Without include guard, behind float_float.h; see scalar.h.
//
// Centroids and weights come scaled by powers of two (core/signatures/packed_signatures.hpp),
// so that nothing here leaves the range of normal numbers:
// coordinates by 2^s, rounded to multiples of 2^-38 and at most 2^50 in magnitude, so that a
// squared distance is 0 or at least 2^-76; a signature's weights so that
// their sum is 2^30 … 2^31, each 0 or at least 2^-10.

// The similarity of centroids of squared distance `squared`, both scaled:
//   gaussian   e^(-alpha squared)        alpha scaled to 1 … 4
//   minus      -sqrt(squared)
//   heuristic  1 / (alpha + sqrt(squared))   alpha scaled to 1 … 2
// Within 2^-40 of it, and what is below 2^-49 is 0. A low part below 2^-80, which has
// nothing to say, is 0, so that products with weights stay normal numbers.
PROXEL_INLINE float_float similarity_of(int kind, PROXEL_FLOAT alpha, float_float squared) {
  float_float value;
  if (kind == similarity_gaussian) {
    value = exponential_of_minus(product_of(squared, alpha));
  } else {
    float_float distance = root_of(squared);
    if (kind == similarity_minus) {
      value = PROXEL_MAKE(float_float, -distance.high, -distance.low);
    } else {
      float_float denominator = sum_of(distance, PROXEL_MAKE(float_float, alpha, PROXEL_EVERY(0.0f)));
      PROXEL_FLOAT zero = PROXEL_EVERY(0.0f);
      PROXEL_FLOAT one = PROXEL_EVERY(1.0f);
      PROXEL_FLOAT near_high = PROXEL_CHOOSE(denominator.high < 5.62949953e+14f, denominator.high, one);
      PROXEL_FLOAT near_low = PROXEL_CHOOSE(denominator.high < 5.62949953e+14f, denominator.low, zero);
      float_float inverse = inverse_of(PROXEL_MAKE(float_float, near_high, near_low));
      value.high = PROXEL_CHOOSE(denominator.high < 5.62949953e+14f, inverse.high, zero);
      value.low = PROXEL_CHOOSE(denominator.high < 5.62949953e+14f, inverse.low, zero);
    }
  }
  PROXEL_FLOAT size = PROXEL_CHOOSE(value.low < 0.0f, -value.low, value.low);
  value.low = PROXEL_CHOOSE(size < 8.27180613e-25f, PROXEL_EVERY(0.0f), value.low);
  return value;
}
