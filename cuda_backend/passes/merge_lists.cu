#include "kernels/chain.cuh"
#include "kernels/merge.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/merge_lists.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::MergeListsParameters;

__device__ __forceinline__ const Key* lists_of_query(const Parameters& p) {
  return reinterpret_cast<const Key*>(p.lists) + std::uint64_t{blockIdx.x} * p.list_count * p.k;
}

__device__ __forceinline__ Key* merged_of_query(const Parameters& p) {
  return reinterpret_cast<Key*>(p.merged) + std::uint64_t{blockIdx.x} * p.merged_stride;
}

__global__ void __launch_bounds__(1024) merge_minimum(const Parameters p) {
  follow_previous_pass();
  __shared__ Key shared[32];
  const Key best = merge_nearest(lists_of_query(p), p.list_count, shared);
  if (threadIdx.x == 0) *merged_of_query(p) = best;
}

__global__ void __launch_bounds__(1024) merge(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  BlockSelect selection(shared, launch.as<passes::MergeListsConstants>().list_length, p.k);
  merge_ranks(lists_of_query(p), p.list_count, p.k, selection);
  selection.write(merged_of_query(p));
}

}  // namespace

PROXEL_KERNEL(merge_lists)(const Pass& pass) {
  const std::uint32_t list_length = pass.constants_as<passes::MergeListsConstants>().list_length;
  if (!selectable(list_length, pass.workgroup_size)) return {};
  if (list_length == 1) return variant(merge_minimum);
  return variant(merge, select_bytes(list_length, pass.workgroup_size));
}

}  // namespace proxel::cuda
