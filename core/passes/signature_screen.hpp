#pragma once

// From sums to what signature_screen writes.

#include "proxel/arithmetic/arithmetic.h"

namespace proxel::passes {

/// 2^(exponent - 30), by which scaled weights are brought back; 0 without any weight.
inline float weight_scale(const arithmetic::signature_terms& terms) {
  const int exponent = terms.exponent - 30;
  return exponent < -190 ? 0.0f : arithmetic::power_of_two(exponent / 2) * arithmetic::power_of_two(exponent - exponent / 2);
}

/// @param cross  C of scaled weights
inline float screened_square(const arithmetic::signature_terms& query, const arithmetic::signature_terms& object,
                             float cross, int unit) {
  const float of_query = weight_scale(query), of_object = weight_scale(object);
  const float square = (query.high * of_query * of_query + object.high * of_object * of_object) -
                       2 * (cross * of_query * of_object);
  return square * arithmetic::power_of_two(unit);
}

}  // namespace proxel::passes
