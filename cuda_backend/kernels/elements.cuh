#pragma once

// Stored elements as binary32, exactly: the element constants of types.h.

#include <cstdint>

#include <cuda_fp16.h>

#include "proxel/passes/types.h"

namespace proxel::cuda {

template <std::uint32_t element>
struct Stored {
  using Type = float;
};
template <>
struct Stored<passes::element_float16> {
  using Type = __half;
};
template <>
struct Stored<passes::element_int8> {
  using Type = std::int8_t;
};
template <>
struct Stored<passes::element_uint8> {
  using Type = std::uint8_t;
};

__device__ __forceinline__ float widened(float value) { return value; }
// The conversion makes every NaN the same one; a stored NaN keeps its bits.
__device__ __forceinline__ float widened(__half value) {
  const std::uint32_t bits = __half_as_ushort(value);
  if ((bits & 0x7FFFu) <= 0x7C00u) return __half2float(value);
  return __uint_as_float((bits & 0x8000u) << 16 | 0x7F800000u | (bits & 0x3FFu) << 13);
}
__device__ __forceinline__ float widened(std::int8_t value) { return value; }
__device__ __forceinline__ float widened(std::uint8_t value) { return value; }

}  // namespace proxel::cuda
