#pragma once

#include "kernels/order.cuh"

namespace proxel::cuda {

__device__ __forceinline__ void order_keys(Key& low, Key& high, bool ascending) {
  const Key a = low;
  const Key b = high;
  const bool swaps = (b < a) == ascending;
  low = swaps ? b : a;
  high = swaps ? a : b;
}

/// Sorts `size` keys in shared memory, a power of two, ascending. All threads
/// of the workgroup call it after a barrier; the keys are in order when it returns.
/// Two stages are one: a thread takes four keys, `stride` apart. A warp's 32 fours are 128 keys of its own where stride
/// is at most 32: such stages need no barrier of the workgroup.
__device__ inline void bitonic_sort(Key* keys, unsigned size) {
  constexpr unsigned warp = 32;
  for (unsigned run = 2; run <= size; run *= 2) {
    unsigned stride = run / 4;
    // An odd number of stages leaves one over.
    if ((__ffs(run) & 1) == 0) {
      for (unsigned i = threadIdx.x; i < size / 2; i += blockDim.x) {
        const unsigned low = 2 * i - (i & (run / 2 - 1));
        order_keys(keys[low], keys[low + run / 2], (low & run) == 0);
      }
      __syncthreads();
      stride /= 2;
    }
    for (; stride != 0; stride /= 4) {
      for (unsigned i = threadIdx.x; i < size / 4; i += blockDim.x) {
        const unsigned low = 4 * i - 3 * (i & (stride - 1));
        const bool ascending = (low & run) == 0;
        Key a = keys[low], b = keys[low + stride], c = keys[low + 2 * stride], d = keys[low + 3 * stride];
        order_keys(a, c, ascending);
        order_keys(b, d, ascending);
        order_keys(a, b, ascending);
        order_keys(c, d, ascending);
        keys[low] = a;
        keys[low + stride] = b;
        keys[low + 2 * stride] = c;
        keys[low + 3 * stride] = d;
      }
      // What comes next is of this warp's keys, too.
      if (stride <= warp && stride > 1)
        __syncwarp();
      else
        __syncthreads();
    }
  }
  __syncthreads();
}

}  // namespace proxel::cuda
