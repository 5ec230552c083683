#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/merge.cuh"
#include "kernels/undecided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/merge_undecided.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::MergeUndecidedParameters;

__global__ void __launch_bounds__(1024) merge(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  const Undecided undecided(p);
  for (unsigned i = blockIdx.x; i < undecided.count; i += gridDim.x) {
    __syncthreads();  // the results before have been written
    BlockSelect selection(shared, launch.as<passes::MergeUndecidedConstants>().list_length, p.k);
    __syncthreads();
    merge_ranks(reinterpret_cast<const Key*>(p.found) + std::uint64_t{i} * undecided.groups * p.k, undecided.groups,
                p.k, selection);
    selection.finish();
    if (p.after != 0 && threadIdx.x == 0) reinterpret_cast<Key*>(p.after)[i] = selection[p.k - 1];
    const std::uint64_t first = std::uint64_t{undecided.query(i)} * p.result_stride + p.first_rank;
    for (unsigned rank = threadIdx.x; rank < p.k; rank += blockDim.x) {
      const Key key = selection[rank];
      reinterpret_cast<std::uint32_t*>(p.indices)[first + rank] = decoded_index(key);
      reinterpret_cast<float*>(p.distances)[first + rank] = decoded_distance(key, p.largest_first != 0, p.finish);
    }
  }
}

}  // namespace

PROXEL_KERNEL(merge_undecided)(const Pass& pass) {
  const std::uint32_t list_length = pass.constants_as<passes::MergeUndecidedConstants>().list_length;
  if (!selectable(list_length, pass.workgroup_size)) return {};
  return variant(merge, select_bytes(list_length, pass.workgroup_size));
}

}  // namespace proxel::cuda
