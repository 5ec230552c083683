#pragma once

// Sums over the lanes of a warp, and the threads of a workgroup.

#include "kernels/order.cuh"

namespace proxel::cuda {

/// The sum of the numbers of the lanes up to this one, with its own. All lanes call it.
__device__ __forceinline__ unsigned warp_sum_through(unsigned number) {
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = number;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned other = __shfl_up_sync(all_lanes, sum, distance);
    if (lane >= distance) sum += other;
  }
  return sum;
}

/// The sum of the numbers of the workgroup's threads before this one. All threads call it; there is one barrier in it.
/// @param sums  in shared memory, for each warp; in use until the next barrier
__device__ __forceinline__ unsigned sum_before(unsigned number, unsigned* sums) {
  const unsigned warp = threadIdx.x / 32;
  const unsigned through = warp_sum_through(number);
  if (threadIdx.x % 32 == 31) sums[warp] = through;
  __syncthreads();
  unsigned before = through - number;
  for (unsigned i = 0; i < warp; ++i) before += sums[i];
  return before;
}

}  // namespace proxel::cuda
