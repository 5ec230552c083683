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
__device__ __forceinline__ float widened(__half value) { return __half2float(value); }
__device__ __forceinline__ float widened(std::int8_t value) { return value; }
__device__ __forceinline__ float widened(std::uint8_t value) { return value; }

}  // namespace proxel::cuda
