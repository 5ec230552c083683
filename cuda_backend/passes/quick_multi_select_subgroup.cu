#include "kernels/chain.cuh"
#include "kernels/quick_multi_select.cuh"
#include "kernels/variant.cuh"

namespace proxel::cuda {
namespace {

constexpr unsigned threads = 128;
constexpr unsigned warps = threads / 32;

struct WarpTeam {
  static constexpr unsigned sorted = passes::quick_multi_select_sorted * 32;
  static __device__ constexpr unsigned width() { return 32; }

  unsigned lane;
  Key* keys;
  uint2* stack;

  __device__ __forceinline__ void barrier() const { __syncwarp(); }

  __device__ __forceinline__ TeamCounts place(const bool (&left)[team_segments], const bool (&right)[team_segments],
                                              unsigned (&slots)[team_segments]) const {
    const unsigned lower = (1u << lane) - 1;
    TeamCounts counts;
#pragma unroll
    for (unsigned j = 0; j < team_segments; ++j) {
      const unsigned lefts = __ballot_sync(all_lanes, left[j]);
      const unsigned rights = __ballot_sync(all_lanes, right[j]);
      slots[j] = left[j] ? counts.left + __popc(lefts & lower) : counts.right + __popc(rights & lower);
      counts.left += __popc(lefts);
      counts.right += __popc(rights);
    }
    return counts;
  }
};

__global__ void __launch_bounds__(threads) select_by_warp(const QuickMultiSelectParameters p) {
  follow_previous_pass();
  __shared__ Key keys[warps * WarpTeam::sorted];
  __shared__ uint2 stacks[warps * passes::quick_multi_select_stack];
  const unsigned warp = threadIdx.x / 32;
  WarpTeam team{threadIdx.x % 32, keys + warp * WarpTeam::sorted, stacks + warp * passes::quick_multi_select_stack};
  const unsigned worker = blockIdx.x * warps + warp;
  QuickMultiSelect<WarpTeam> quick(p, team, worker);
  for (std::uint64_t row = worker; row < p.rows; row += gridDim.x * warps) quick.select(static_cast<unsigned>(row));
}

}  // namespace

PROXEL_KERNEL(quick_multi_select_subgroup)(const Pass& pass) {
  return pass.workgroup_size == threads && pass.constants_as<passes::QuickMultiSelectSubgroupConstants>().teams == warps
             ? variant(select_by_warp)
             : Kernel{};
}

}  // namespace proxel::cuda
