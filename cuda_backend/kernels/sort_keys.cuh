#pragma once

// Sorting keys in shared memory by one workgroup.

#include "kernels/order.cuh"

namespace proxel::cuda {

/// Bitonic sort, ascending; ends with a barrier.
///
/// A warp's 32 compare-exchanges touch 64 keys of its own where the stride is at
/// most 32: such stages need no barrier of the workgroup.
/// @param size  a power of two, at least 2
__device__ __forceinline__ void sort_keys(Key* keys, unsigned size) {
  for (unsigned run = 2; run <= size; run *= 2) {
    for (unsigned stride = run / 2; stride != 0; stride /= 2) {
      for (unsigned i = threadIdx.x; i < size / 2; i += blockDim.x) {
        const unsigned low = 2 * i - (i & (stride - 1));
        const unsigned high = low + stride;
        const Key a = keys[low];
        const Key b = keys[high];
        if ((b < a) == ((low & run) == 0)) {
          keys[low] = b;
          keys[high] = a;
        }
      }
      const unsigned next_stride = stride > 1 ? stride / 2 : run;
      if (stride > 32 || next_stride > 32)
        __syncthreads();
      else
        __syncwarp();
    }
  }
  __syncthreads();
}

}  // namespace proxel::cuda
