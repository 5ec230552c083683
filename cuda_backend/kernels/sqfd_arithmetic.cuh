#pragma once

// Steps of sqfd_block in binary32 and binary64: one rounding each, never contracted.

#include "proxel/passes/sqfd_block.h"

namespace proxel::cuda {

__device__ __forceinline__ float add(float a, float b) { return __fadd_rn(a, b); }
__device__ __forceinline__ float subtract(float a, float b) { return __fsub_rn(a, b); }
__device__ __forceinline__ float multiply(float a, float b) { return __fmul_rn(a, b); }
__device__ __forceinline__ double add(double a, double b) { return __dadd_rn(a, b); }
__device__ __forceinline__ double subtract(double a, double b) { return __dsub_rn(a, b); }
__device__ __forceinline__ double multiply(double a, double b) { return __dmul_rn(a, b); }

/// 2^-y, y at least 0; see core/passes/negative_power.hpp.
__device__ __forceinline__ float negative_power(float y) {
  constexpr float largest = passes::sqfd_largest_power;
  constexpr float to_whole = 12582912.0f;  // 1.5 * 2^23
  const float bounded = fminf(y, largest);
  const float shifted = add(bounded, to_whole);
  const float t = subtract(bounded, subtract(shifted, to_whole));
  float sum = 0;
#define PROXEL_STEP(coefficient) sum = add(multiply(sum, t), coefficient##f);
  PROXEL_SQFD_SINGLE(PROXEL_STEP)
#undef PROXEL_STEP
  const unsigned exponent = 127u - (__float_as_uint(shifted) - 0x4B400000u);
  return y > largest ? 0.0f : multiply(sum, __uint_as_float(exponent << 23));
}

__device__ __forceinline__ double negative_power(double y) {
  constexpr double largest = passes::sqfd_largest_power;
  constexpr double to_whole = 6755399441055744.0;  // 1.5 * 2^52
  const double bounded = fmin(y, largest);
  const double shifted = add(bounded, to_whole);
  const double t = subtract(bounded, subtract(shifted, to_whole));
  double sum = 0;
#define PROXEL_STEP(high, low) \
  sum = add(multiply(sum, t), __hiloint2double(static_cast<int>(high), static_cast<int>(low)));
  PROXEL_SQFD_DOUBLE(PROXEL_STEP)
#undef PROXEL_STEP
  // The low word alone holds the whole number: it is at most 60.
  const int exponent = 1023 - __double2loint(shifted);
  return y > largest ? 0.0 : multiply(sum, __hiloint2double(exponent << 20, 0));
}

__device__ __forceinline__ float to_single(float value) { return value; }
__device__ __forceinline__ float to_single(double value) { return __double2float_rn(value); }

}  // namespace proxel::cuda
