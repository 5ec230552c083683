#include "kernels/chain.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/unpack_rows.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::UnpackRowsParameters;

// Dimensions of 128 rows that are turned at a time: reads run along rows,
// writes along dimensions, and both are contiguous.
constexpr unsigned chunk = 32;
constexpr unsigned threads = 256;
constexpr unsigned per_thread = tile_rows * chunk / threads;

__global__ void __launch_bounds__(threads) unpack(const Parameters p) {
  follow_previous_pass();
  __shared__ float staged[tile_rows][chunk + 1];
  const unsigned chunks = (p.dimensions - 1) / chunk + 1;
  const unsigned tiles = (p.row_count - 1) / tile_rows + 1;
  const std::uint64_t pieces = std::uint64_t{chunks} * tiles;
  for (std::uint64_t piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const unsigned tile = static_cast<unsigned>(piece / chunks);
    const unsigned dimension = static_cast<unsigned>(piece % chunks) * chunk;
    const unsigned width = min(chunk, p.dimensions - dimension);
    const unsigned rows = min(tile_rows, p.row_count - tile * tile_rows);
    const unsigned row = threadIdx.x % tile_rows;
    const float* source = row_address(p.rows, p.first_row + tile * tile_rows + min(row, rows - 1)) +
                          std::uint64_t{dimension} * p.rows.dimension_stride;
    // All that a thread reads is under way before it waits for any of it.
    float values[per_thread];
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j) {
      const unsigned i = threadIdx.x / tile_rows + j * (threads / tile_rows);
      values[j] = i < width ? source[std::uint64_t{i} * p.rows.dimension_stride] : 0.0f;
    }
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j)
      staged[row][threadIdx.x / tile_rows + j * (threads / tile_rows)] = values[j];
    __syncthreads();
    float* destination =
        reinterpret_cast<float*>(p.destination) + std::uint64_t{tile} * tile_rows * p.row_stride + dimension;
    const unsigned column = threadIdx.x % chunk;
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j) {
      const unsigned i = threadIdx.x / chunk + j * (threads / chunk);
      if (i < rows && column < width) destination[std::uint64_t{i} * p.row_stride + column] = staged[i][column];
    }
    __syncthreads();
  }
}

}  // namespace

PROXEL_KERNEL(unpack_rows)(const Pass&) {
  Kernel kernel = variant(unpack);
  kernel.workgroup_size = threads;
  return kernel;
}

}  // namespace proxel::cuda
