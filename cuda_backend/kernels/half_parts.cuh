#pragma once

// Values as one or two halves, as the screened search packs them.

#include <cuda_fp16.h>

#include <cstdint>

namespace proxel::cuda {

/// The nearest halves of two values, subnormals as zero, kept within the range of halves: the first is the lower half of the
/// word.
__device__ __forceinline__ std::uint32_t to_halves(float first, float second) {
  const __half2 largest = __float2half2_rn(65504.0f);
  const __half2 both = __hmax2(__hmin2(__floats2half2_rn(first, second), largest), __hneg2(largest));
  const std::uint32_t bits = __half_as_ushort(__low2half(both)) | std::uint32_t{__half_as_ushort(__high2half(both))}
                                                                      << 16;
  return bits & __hge2_mask(__habs2(both), __float2half2_rn(0x1p-14f));
}

__device__ __forceinline__ std::uint16_t to_half(float value) {
  return static_cast<std::uint16_t>(to_halves(value, 0.0f));
}

__device__ __forceinline__ float from_half(std::uint16_t bits) { return __half2float(__ushort_as_half(bits)); }

struct HalfParts {
  std::uint16_t high, low;

  __device__ explicit HalfParts(float value) {
    high = to_half(value);
    low = to_half(__fsub_rn(value, from_half(high)));
  }
};

}  // namespace proxel::cuda
