#include "kernels/texel.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/texel_reduce.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TexelReduceParameters;

__device__ __forceinline__ unsigned half_of(unsigned extent) { return extent / 2 + extent % 2; }

// Texel (x, y) becomes the smallest of the four that it stands for.
__device__ void reduce_texel(const Surface& candidates, unsigned x, unsigned y, unsigned width,
                             unsigned height) {
  const unsigned layer = blockIdx.z;
  const unsigned right = x + half_of(width);
  const unsigned below = y + half_of(height);
  uint4* texel = texel_address<uint4>(candidates, x, y, layer);
  Key keys[4] = {candidate_key(*texel), no_row, no_row, no_row};
  if (right < width) keys[1] = candidate_key(*texel_address<uint4>(candidates, right, y, layer));
  if (below < height) keys[2] = candidate_key(*texel_address<uint4>(candidates, x, below, layer));
  if (right < width && below < height)
    keys[3] = candidate_key(*texel_address<uint4>(candidates, right, below, layer));
  *texel = candidate_texel(smaller(smaller(keys[0], keys[1]), smaller(keys[2], keys[3])));
}

__global__ void __launch_bounds__(1024) reduce(const Parameters p, const Launch launch) {
  const Surface candidates = launch.textures[0];
  unsigned width = p.width;
  unsigned height = p.height;
  if (p.rounds == 1) {
    const uint2 at = texel_position();
    if (at.x < half_of(width) && at.y < half_of(height))
      reduce_texel(candidates, at.x, at.y, width, height);
    return;
  }
  for (unsigned round = 0; round < p.rounds; ++round) {
    const unsigned columns = half_of(width);
    for (unsigned i = threadIdx.x; i < columns * half_of(height); i += blockDim.x)
      reduce_texel(candidates, i % columns, i / columns, width, height);
    width = columns;
    height = half_of(height);
    __syncthreads();  // the next round reads what this one wrote
  }
}

}  // namespace

Kernel kernels::texel_reduce(const Pass& pass) {
  if (pass.workgroup_size % texel_group_width != 0) return {};
  return variant(reduce);
}

}  // namespace proxel::cuda
