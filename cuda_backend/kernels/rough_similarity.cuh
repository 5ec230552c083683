#pragma once

// Similarities in plain binary32, as screens of signatures use them: within the bound of
// core/signatures/screen_bound.hpp.

#include "proxel/arithmetic/similarity_kind.h"

namespace proxel::cuda {

__device__ __forceinline__ void add_square(float query, float mine, float& sum) {
  const float difference = query - mine;
  sum = __fmaf_rn(difference, difference, sum);
}

template <int kind>
__device__ __forceinline__ float rough_similarity(float squared, float factor) {
  if constexpr (kind == arithmetic::similarity_gaussian) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(squared * factor));
    return power;
  } else if constexpr (kind == arithmetic::similarity_minus) {
    return -__fsqrt_rn(squared);
  } else {
    return __fdividef(1.0f, factor + __fsqrt_rn(squared));
  }
}

}  // namespace proxel::cuda
