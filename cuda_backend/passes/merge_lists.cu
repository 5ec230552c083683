#include "kernels/block_select.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/merge_lists.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::MergeListsParameters;

// Keys that each thread reads before it uses the first: 128 threads read the
// lists of a scan on a large device at once.
constexpr unsigned together_nearest = 16;
constexpr unsigned together = 8;

__device__ __forceinline__ const Key* lists_of_query(const Parameters& p) {
  return reinterpret_cast<const Key*>(p.lists) + std::uint64_t{blockIdx.x} * p.list_count * p.k;
}

__device__ __forceinline__ Key* merged_of_query(const Parameters& p) {
  return reinterpret_cast<Key*>(p.merged) + std::uint64_t{blockIdx.x} * p.merged_stride;
}

__global__ void __launch_bounds__(1024) merge_nearest(const Parameters p) {
  __shared__ Key shared[32];
  const Key* lists = lists_of_query(p);
  Key best = no_row;
  for (unsigned first = threadIdx.x; first < p.list_count; first += together_nearest * blockDim.x) {
    Key keys[together_nearest];
#pragma unroll
    for (unsigned i = 0; i < together_nearest; ++i) {
      const unsigned at = first + i * blockDim.x;
      keys[i] = at < p.list_count ? __ldg(lists + at) : no_row;
    }
#pragma unroll
    for (unsigned i = 0; i < together_nearest; ++i) best = smaller(best, keys[i]);
  }
  best = workgroup_minimum(best, shared);
  if (threadIdx.x == 0) *merged_of_query(p) = best;
}

// Lists are ascending: the first ranks of all come first, and once a range of
// ranks offers nothing below the k-th best, later ranks cannot either. Ranges
// double, so that one deep list does not take a round trip per rank.
__global__ void __launch_bounds__(1024) merge_ranks(const Parameters p, const Launch launch) {
  extern __shared__ float4 shared[];
  BlockSelect selection(shared, launch.constants[1], p.k);
  const Key* lists = lists_of_query(p);
  bool offered = true;
  // Ranges begin at ranks 0, 1, 2, 4, 8, … and are 1, 1, 2, 4, 8, … ranks wide.
  for (unsigned rank = 0, width_log2 = 0; rank < p.k && offered;) {
    const unsigned width = 1u << width_log2;
    const std::uint64_t count = std::uint64_t{p.list_count} * width;
    offered = false;
    for (std::uint64_t first = 0; first < count; first += std::uint64_t{together} * blockDim.x) {
      Key keys[together];
#pragma unroll
      for (unsigned i = 0; i < together; ++i) {
        const std::uint64_t at = first + i * blockDim.x + threadIdx.x;
        const unsigned from = rank + static_cast<unsigned>(at & (width - 1));
        keys[i] = at < count && from < p.k ? __ldg(lists + (at >> width_log2) * p.k + from) : no_row;
      }
      offered |= selection.offer(keys);
    }
    if (rank != 0) ++width_log2;
    rank += width;
  }
  selection.write(merged_of_query(p));
}

}  // namespace

Kernel kernels::merge_lists(const Pass& pass) {
  const std::uint32_t list_length = pass.constants[1];
  if (!selectable(list_length, pass.workgroup_size)) return {};
  if (list_length == 1) return variant(merge_nearest);
  return variant(merge_ranks, select_bytes(list_length, pass.workgroup_size));
}

}  // namespace proxel::cuda
