#include "kernels/chain.cuh"
#include "kernels/quick_multi_select.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/quick_multi_select_workgroup.h"

namespace proxel::cuda {
namespace {

template <unsigned threads>
struct WorkgroupTeam {
  static constexpr unsigned warps = threads / 32;
  static constexpr unsigned counted = team_segments * warps;
  static constexpr unsigned sorted = passes::quick_multi_select_sorted * threads;
  static __device__ constexpr unsigned width() { return threads; }

  unsigned lane;
  Key* keys;
  uint2* stack;
  // Keys of each warp and segment that go left (low half) and right; after the
  // summation, of those before it. The last holds the sums.
  unsigned* counts;

  __device__ __forceinline__ void barrier() const { __syncthreads(); }

  __device__ __forceinline__ TeamCounts place(const bool (&left)[team_segments], const bool (&right)[team_segments],
                                              unsigned (&slots)[team_segments]) const {
    const unsigned lower = (1u << lane % 32) - 1;
    const unsigned warp = lane / 32;
#pragma unroll
    for (unsigned j = 0; j < team_segments; ++j) {
      const unsigned lefts = __ballot_sync(all_lanes, left[j]);
      const unsigned rights = __ballot_sync(all_lanes, right[j]);
      slots[j] = __popc((left[j] ? lefts : rights) & lower);
      if (lane % 32 == 0) counts[j * warps + warp] = __popc(lefts) | __popc(rights) << 16;
    }
    __syncthreads();
    if (lane == 0) {
      unsigned sum = 0;
#pragma unroll
      for (unsigned i = 0; i < counted; ++i) {
        const unsigned count = counts[i];
        counts[i] = sum;
        sum += count;
      }
      counts[counted] = sum;
    }
    __syncthreads();
#pragma unroll
    for (unsigned j = 0; j < team_segments; ++j) {
      const unsigned before = counts[j * warps + warp];
      slots[j] += left[j] ? before & 0xFFFFu : before >> 16;
    }
    return {counts[counted] & 0xFFFFu, counts[counted] >> 16};
  }
};

template <unsigned threads>
__global__ void __launch_bounds__(threads) select_by_workgroup(const QuickMultiSelectParameters p) {
  using Team = WorkgroupTeam<threads>;
  follow_previous_pass();
  __shared__ Key keys[Team::sorted];
  __shared__ uint2 stack[passes::quick_multi_select_stack];
  __shared__ unsigned counts[Team::counted + 1];
  Team team{threadIdx.x, keys, stack, counts};
  QuickMultiSelect<Team> quick(p, team, blockIdx.x);
  for (std::uint64_t row = blockIdx.x; row < p.rows; row += gridDim.x) quick.select(static_cast<unsigned>(row));
}

}  // namespace

PROXEL_KERNEL(quick_multi_select_workgroup)(const Pass& pass) {
  switch (pass.workgroup_size) {
    case 128:
      return variant(select_by_workgroup<128>);
    case 256:
      return variant(select_by_workgroup<256>);
    case 512:
      return variant(select_by_workgroup<512>);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
