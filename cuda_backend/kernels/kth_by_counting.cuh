#pragma once

// The k-th smallest of many 32-bit keys, by one workgroup that counts how many begin with which bits. The keys may
// lie anywhere: they are read once for every level, of which there are three at most.

#include <cstdint>

#include "kernels/order.cuh"
#include "kernels/warp_sum.cuh"
#include "proxel/passes/screen_survivors.h"

namespace proxel::cuda {

/// Shared memory of one count.
struct CountingMemory {
  alignas(16) unsigned bins[passes::counting_bins];
  unsigned sums[32];
  unsigned bin;   // that the k-th key is in
  unsigned less;  // keys in bins before it
};

/// A key that at least k keys do not exceed, and more than k + slack only where keys are equal. All ones where there
/// are fewer than k. All threads of the workgroup call it.
/// @param each  calls its argument with every key of this thread
template <typename Each>
__device__ __forceinline__ std::uint32_t kth_by_counting(unsigned k, unsigned slack, CountingMemory& memory,
                                                         const Each& each) {
  constexpr unsigned bins = passes::counting_bins;
  const unsigned own = bins / blockDim.x, first_bin = threadIdx.x * own;
  std::uint32_t low = 0;  // the k-th key is not below it,
  unsigned less = 0;      // and so many are
  for (unsigned shift = 21;; shift = shift == 21 ? 10 : 0) {
    for (unsigned i = threadIdx.x; i < bins; i += blockDim.x) memory.bins[i] = 0;
    __syncthreads();
    each([&](std::uint32_t key) {
      // Of keys behind the level's range those that are counted change nothing: they come after the k-th.
      if (key >= low && (key - low) >> shift < bins) atomicAdd(&memory.bins[(key - low) >> shift], 1u);
    });
    __syncthreads();
    unsigned sum = 0;
    // Each begins elsewhere, so that neighbours read other banks.
    for (unsigned i = 0; i < own; ++i) sum += memory.bins[first_bin + (i + threadIdx.x) % own];
    unsigned held = less + sum_before(sum, memory.sums);
    // Where there are fewer than k keys, the last bin is theirs.
    if (held < k && (held + sum >= k || threadIdx.x + 1 == blockDim.x)) {
      unsigned bin = first_bin;
      while (bin + 1 < first_bin + own && held + memory.bins[bin] < k) held += memory.bins[bin++];
      memory.bin = bin;
      memory.less = held;
    }
    __syncthreads();
    const unsigned bin = memory.bin;
    less = memory.less;
    low += bin << shift;
    const unsigned reached = less + memory.bins[bin];
    // Everybody has read what the next level, or the next count, overwrites.
    __syncthreads();
    if (shift == 0 || reached <= k + slack) return low + ((1u << shift) - 1);
  }
}

/// The same of keys of a value and a column: at least k of them do not exceed what is returned, and never more than
/// k + slack. All ones where there are fewer than k.
/// @param each  calls its argument with the value's key, and a function that returns the column, of every key of this thread
template <typename Each>
__device__ __forceinline__ Key kth_key_by_counting(unsigned k, unsigned slack, CountingMemory& memory,
                                                   const Each& each) {
  const std::uint32_t value = kth_by_counting(
      k, slack, memory, [&](const auto& use) { each([&](std::uint32_t key, const auto&) { use(key); }); });
  const unsigned less = memory.less, reached = less + memory.bins[memory.bin];
  if (reached <= k + slack) return make_key(value, 0xFFFFFFFFu);
  __syncthreads();  // all have read what the next count overwrites
  // Of equal values those of the first columns come first.
  return make_key(value, kth_by_counting(k - less, slack, memory, [&](const auto& use) {
    each([&](std::uint32_t key, const auto& column_of) {
      if (key == value) use(column_of());
    });
  }));
}

}  // namespace proxel::cuda
