#pragma once

// Copies from device memory to shared memory that threads do not wait for.
// What is not to be read becomes +0.

#include <cstdint>

namespace proxel::cuda {

__device__ __forceinline__ void copy_float(float* shared, const float* from, bool exists) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
               :
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(shared))), "l"(from), "r"(exists ? 4 : 0)
               : "memory");
#else
  *shared = exists ? *from : 0.0f;
#endif
}

/// @param shared, from  16-byte aligned
/// @param count         floats to read, 0…4
__device__ __forceinline__ void copy_four_floats(float* shared, const float* from, std::uint32_t count) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(shared))), "l"(from), "r"(4 * count)
               : "memory");
#else
  for (unsigned i = 0; i < 4; ++i) shared[i] = i < count ? from[i] : 0.0f;
#endif
}

/// Returns when this thread's copies are complete.
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace proxel::cuda
