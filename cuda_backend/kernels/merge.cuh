#pragma once

// Merging ascending lists of keys by one workgroup. The lists may have been
// written by other workgroups of the same kernel, so they are read from the
// second-level cache.

#include "kernels/block_select.cuh"

namespace proxel::cuda {

/// Whether this workgroup is the last of several to arrive, each of which has written a list: then it sees all of them. The ticket is 0
/// before and after.
__device__ __forceinline__ bool arrives_last(unsigned* ticket, unsigned workgroups) {
  __shared__ bool last;
  __threadfence();  // the list is written before the ticket is taken
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(ticket, 1) == workgroups - 1;
    if (last) *ticket = 0;
    __threadfence();
  }
  __syncthreads();
  return last;
}

/// The smallest of `count` keys, in thread 0.
/// @param shared  a key per warp
__device__ __forceinline__ Key merge_nearest(const Key* keys, unsigned count, Key* shared) {
  // 128 threads read the lists of a scan on a large device at once.
  constexpr unsigned together = 8;
  Key best = no_row;
  for (unsigned first = threadIdx.x; first < count; first += together * blockDim.x) {
    Key read[together];
#pragma unroll
    for (unsigned i = 0; i < together; ++i) {
      const unsigned at = first + i * blockDim.x;
      read[i] = at < count ? __ldcg(keys + at) : no_row;
    }
#pragma unroll
    for (unsigned i = 0; i < together; ++i) best = smaller(best, read[i]);
  }
  return workgroup_minimum(best, shared);
}

/// Offers `list_count` lists of k keys.
///
/// Lists are ascending: the first ranks of all come first, and once a range of
/// ranks offers nothing below the k-th best, later ranks cannot either. Ranges
/// double, so that one deep list does not take a round trip per rank.
__device__ __forceinline__ void merge_ranks(const Key* lists, unsigned list_count, unsigned k, BlockSelect& selection) {
  constexpr unsigned together = 4;
  bool offered = true;
  // Ranges begin at ranks 0, 1, 2, 4, 8, … and are 1, 1, 2, 4, 8, … ranks wide.
  for (unsigned rank = 0, width_log2 = 0; rank < k && offered;) {
    const unsigned width = 1u << width_log2;
    const std::uint64_t count = std::uint64_t{list_count} * width;
    offered = false;
    for (std::uint64_t first = 0; first < count; first += std::uint64_t{together} * blockDim.x) {
      Key keys[together];
#pragma unroll
      for (unsigned i = 0; i < together; ++i) {
        const std::uint64_t at = first + i * blockDim.x + threadIdx.x;
        const unsigned from = rank + static_cast<unsigned>(at & (width - 1));
        keys[i] = at < count && from < k ? __ldcg(lists + (at >> width_log2) * k + from) : no_row;
      }
      offered |= selection.offer(keys);
    }
    if (rank != 0) ++width_log2;
    rank += width;
  }
}

}  // namespace proxel::cuda
