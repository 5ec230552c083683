#include <cfloat>

#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_sample.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenSampleParameters;
using passes::tile_rows;

// Row i of a tile of the sample, where there is one.
struct Sampled {
  bool exists;
  unsigned row;

  __device__ Sampled(const Parameters& p, unsigned i) {
    const unsigned sample = passes::screen_sample_number(i, blockIdx.x, gridDim.x);
    exists = sample < p.row_count / p.share;
    row = passes::screen_sampled_row(sample, p.share);
  }
};

// Which 16 bytes of an operand hold chunk `chunk` of a row of a tile.
__device__ __forceinline__ std::uint64_t place(const Parameters& p, unsigned tile, unsigned row, unsigned chunk) {
  return (std::uint64_t{tile} * p.depth_blocks + chunk / 8) * (passes::screen_block_bytes / 16) + 8 * row +
         ((chunk ^ row) & 7);
}

__global__ void __launch_bounds__(tile_rows) sample_rows(const Parameters p) {
  follow_previous_pass();
  __shared__ float row_bounds[4][tile_rows];
  const unsigned tile = blockIdx.x;
  for (unsigned at = threadIdx.x; at < tile_rows * p.depth_blocks * 8; at += tile_rows) {
    // Neighbouring threads read a row's chunks of a block.
    const unsigned chunk = at / (8 * tile_rows) * 8 + at % 8, i = at / 8 % tile_rows;
    const Sampled from(p, i);
    uint4 values = make_uint4(0, 0, 0, 0);
    if (from.exists)
      values =
          __ldg(reinterpret_cast<const uint4*>(p.rows) + place(p, from.row / tile_rows, from.row % tile_rows, chunk));
    reinterpret_cast<uint4*>(p.sampled)[place(p, tile, i, chunk)] = values;
  }
  const Sampled from(p, threadIdx.x);
  float4 bounds = make_float4(FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX);
  if (from.exists) bounds = __ldg(reinterpret_cast<const float4*>(p.bounds) + from.row / tile_rows);
  reinterpret_cast<std::uint32_t*>(p.sampled_biases)[std::uint64_t{tile} * tile_rows + threadIdx.x] =
      from.exists ? __ldg(reinterpret_cast<const std::uint32_t*>(p.biases) + from.row) : p.nothing;
  row_bounds[0][threadIdx.x] = bounds.x;
  row_bounds[1][threadIdx.x] = bounds.y;
  row_bounds[2][threadIdx.x] = bounds.z;
  row_bounds[3][threadIdx.x] = bounds.w;
  __syncthreads();
  if (threadIdx.x >= 4) return;
  float least = FLT_MAX;
  for (const float bound : row_bounds[threadIdx.x]) least = fminf(least, bound);
  reinterpret_cast<float*>(p.sampled_bounds)[std::uint64_t{tile} * 4 + threadIdx.x] = least;
}

}  // namespace

PROXEL_KERNEL(screen_sample)(const Pass& pass) {
  return pass.workgroup_size == tile_rows ? variant(sample_rows) : Kernel{};
}

}  // namespace proxel::cuda
