#pragma once

// Sums over the lanes of a warp.

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

}  // namespace proxel::cuda
