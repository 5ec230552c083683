#pragma once

#include <cstdint>

namespace proxel::cuda {

/// Calls body(i) for 0 … count - 1, shared out among all threads of the grid.
template <typename Body>
__device__ __forceinline__ void for_each_strided(std::uint64_t count, const Body& body) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) body(i);
}

}  // namespace proxel::cuda
