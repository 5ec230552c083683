// From a pair's sums to its squared distance. Behind float_float.h, for numbers one at a time.

// What is known of a signature by itself.
struct signature_terms {
  float high;    // S, the similarity-weighted sum over its own centroids: a float-float
  float low;
  int exponent;  // its weights have been multiplied by 2^(30 - exponent)
};

// 2^exponent, 0 below 2^-100; at most 2^127.
PROXEL_INLINE float power_of_two(int exponent) {
  return exponent < -100 ? 0.0f : float_of_bits((exponent + 127) << 23);
}

// (S_query + S_object) - 2 C, times 2^(60 - 2 e - unit) with e the larger exponent of the two:
// the terms of the lighter signature shrink by powers of two, exactly. 2^unit undoes the
// scaling of similarities. Negative values, which rounding alone leaves of a metric, are 0.
PROXEL_INLINE float signature_square(signature_terms query, signature_terms object, float_float cross, int unit) {
  int largest = query.exponent > object.exponent ? query.exponent : object.exponent;
  float of_query = power_of_two(query.exponent - largest);
  float of_object = power_of_two(object.exponent - largest);
  float_float own = sum_of(
      PROXEL_MAKE(float_float, query.high * of_query * of_query, query.low * of_query * of_query),
      PROXEL_MAKE(float_float, object.high * of_object * of_object, object.low * of_object * of_object));
  float both = -2.0f * of_query * of_object;
  float_float square = sum_of(own, PROXEL_MAKE(float_float, cross.high * both, cross.low * both));
  return square.high > 0.0f ? square.high * power_of_two(unit) : 0.0f;
}

// The distance of its root: root * 2^(e - 30).
PROXEL_INLINE float scaled_root(float root, signature_terms query, signature_terms object) {
  int largest = query.exponent > object.exponent ? query.exponent : object.exponent;
  int half_of = (largest - 30) / 2;
  return root * power_of_two(half_of) * power_of_two(largest - 30 - half_of);
}

// The same in plain binary32, not scaled, for signature_screen: its order and roundings
// may differ from device to device.
PROXEL_INLINE float screened_square(signature_terms query, signature_terms object, float cross, int unit) {
  // Weights without any sum have the exponent -200.
  int of_query = query.exponent - 30;
  int of_object = object.exponent - 30;
  float query_scale = of_query < -190 ? 0.0f : power_of_two(of_query / 2) * power_of_two(of_query - of_query / 2);
  float object_scale =
      of_object < -190 ? 0.0f : power_of_two(of_object / 2) * power_of_two(of_object - of_object / 2);
  float own = query.high * query_scale * query_scale + object.high * object_scale * object_scale;
  return (own - 2.0f * (cross * query_scale * object_scale)) * power_of_two(unit);
}
