#pragma once

#include "kernels/order.cuh"

namespace proxel::cuda {

/// Sorts `size` keys in shared memory, a power of two, ascending. All threads
/// of the workgroup call it after a barrier; the keys are in order when it returns.
/// A warp's 32 compare-exchanges touch 64 keys of its own where the stride is
/// at most 32: such stages need no barrier of the workgroup.
__device__ inline void bitonic_sort(Key* keys, unsigned size) {
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
