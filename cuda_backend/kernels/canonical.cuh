#pragma once

// The canonical step of each metric: one rounding per operation, never contracted.

#include "proxel/metric.hpp"

namespace proxel::cuda {

/// The larger of two magnitudes, or NaN if either is NaN (fmaxf would drop it).
__device__ __forceinline__ float larger_magnitude(float sum, float difference) {
  const float magnitude = fabsf(difference);
#if __CUDA_ARCH__ >= 800
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(sum), "f"(magnitude));
  return result;
#else
  // Bits of magnitudes order as integers, NaN above infinity.
  return __int_as_float(max(__float_as_int(sum), __float_as_int(magnitude)));
#endif
}

/// Adds one dimension to the distance accumulated so far.
template <Metric metric>
__device__ __forceinline__ float step(float sum, float query, float row) {
  if constexpr (metric == Metric::l1) {
    return __fadd_rn(sum, fabsf(__fsub_rn(query, row)));
  } else if constexpr (metric == Metric::l2sq) {
    const float difference = __fsub_rn(query, row);
    return __fadd_rn(sum, __fmul_rn(difference, difference));
  } else if constexpr (metric == Metric::linf) {
    return larger_magnitude(sum, __fsub_rn(query, row));
  } else {
    static_assert(metric == Metric::ip);
    return __fadd_rn(sum, __fmul_rn(query, row));
  }
}

}  // namespace proxel::cuda
