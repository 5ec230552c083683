#include "kernels/chain.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/bvh_leaves.h"

namespace proxel::cuda {
namespace {

using passes::bvh_width;
using Parameters = passes::BvhLeavesParameters;

constexpr unsigned threads = 128;
constexpr unsigned leaves_at_once = threads / bvh_width;

__global__ void __launch_bounds__(threads) leaves(const Parameters p) {
  follow_previous_pass();
  __shared__ float staged[leaves_at_once][passes::bvh_most_dimensions][bvh_width];
  const unsigned all = (p.rows.count - 1) / bvh_width + 1;
  const unsigned warp = threadIdx.x / bvh_width;
  const unsigned lane = threadIdx.x % bvh_width;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * leaves_at_once; first < all;
       first += std::uint64_t{gridDim.x} * leaves_at_once) {
    const std::uint64_t leaf = first + warp;
    if (leaf < all) {
      const std::uint64_t place = leaf * bvh_width + lane;
      const bool exists = place < p.rows.count;
      const unsigned row = exists ? reinterpret_cast<const unsigned*>(p.order)[place] : 0;
      const float* values = row_address(p.rows, row);
      float* to = reinterpret_cast<float*>(p.coordinates) + leaf * p.dimensions * bvh_width + lane;
      for (unsigned i = 0; i < p.dimensions; ++i) {
        const float value = exists ? values[std::size_t{i} * p.rows.dimension_stride] : __int_as_float(0x7FC00000);
        to[i * bvh_width] = value;
        staged[warp][i][lane] = value;
      }
    }
    __syncwarp();
    if (leaf < all && lane < p.dimensions) {
      float lower = __builtin_huge_valf();
      float upper = -lower;
      for (unsigned i = 0; i < bvh_width; ++i) {
        const float value = staged[warp][lane][i];
        // NaN is neither; which zero a compiler's minimum takes is its own.
        if (value < lower) lower = value;
        if (value > upper) upper = value;
      }
      float* group =
          reinterpret_cast<float*>(p.boxes) + leaf / bvh_width * 2 * p.dimensions * bvh_width + leaf % bvh_width;
      group[2 * lane * bvh_width] = lower == 0 ? 0 : lower;
      group[(2 * lane + 1) * bvh_width] = upper == 0 ? 0 : upper;
    }
    __syncwarp();
  }
}

}  // namespace

PROXEL_KERNEL(bvh_leaves)(const Pass& pass) {
  if (pass.workgroup_size != threads) return {};
  return variant(leaves);
}

}  // namespace proxel::cuda
