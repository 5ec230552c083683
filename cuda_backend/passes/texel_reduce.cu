#include "kernels/chain.cuh"
#include "kernels/chain.cuh"
#include "kernels/texel.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/texel_reduce.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TexelReduceParameters;

__global__ void __launch_bounds__(1024) reduce(const Parameters p, const Launch launch) {
  follow_previous_pass();
  __shared__ Key partial[1024];
  const Surface& candidates = launch.textures[0];
  const unsigned sharers = launch.as<passes::TexelReduceConstants>().sharers;
  unsigned columns = p.width;
  unsigned lines = p.height;
  for (unsigned round = 0; round < p.rounds; ++round) {
    columns = columns / 2 + columns % 2;
    lines = lines / 2 + lines % 2;
  }
  // Texels that become one: across and down in steps of what is left.
  const unsigned across = (p.width - 1) / columns + 1;
  const unsigned down = (p.height - 1) / lines + 1;

  // Neighbouring threads take neighbouring outputs, and so neighbouring texels.
  const unsigned outputs = blockDim.x / sharers;
  const unsigned sharer = threadIdx.x / outputs;
  const unsigned index = blockIdx.x * outputs + threadIdx.x % outputs;
  const unsigned x = index % columns;
  const unsigned y = index / columns;
  const bool exists = y < lines;
  Key smallest = no_row;
  if (exists) {
    for (unsigned row = sharer; row < down; row += sharers) {
#pragma unroll 8
      for (unsigned column = 0; column < across; ++column) {
        const unsigned from_x = x + column * columns;
        const unsigned from_y = y + row * lines;
        if (from_x < p.width && from_y < p.height)
          smallest =
              smaller(smallest, candidate_key(*texel_address<const uint4>(candidates, from_x, from_y, blockIdx.z)));
      }
    }
  }
  partial[threadIdx.x] = smallest;
  __syncthreads();  // also: every source is read before the output replaces one
  for (unsigned step = sharers / 2; step != 0; step /= 2) {
    if (sharer < step) partial[threadIdx.x] = smaller(partial[threadIdx.x], partial[threadIdx.x + step * outputs]);
    __syncthreads();
  }
  if (exists && sharer == 0)
    *texel_address<uint4>(candidates, x, y, blockIdx.z) = candidate_texel(partial[threadIdx.x]);
}

}  // namespace

PROXEL_KERNEL(texel_reduce)(const Pass& pass) {
  const std::uint32_t sharers = pass.constants_as<passes::TexelReduceConstants>().sharers;
  if (sharers == 0 || pass.workgroup_size % sharers != 0) return {};
  return variant(reduce, pass.workgroup_size * static_cast<std::uint32_t>(sizeof(Key)));
}

}  // namespace proxel::cuda
