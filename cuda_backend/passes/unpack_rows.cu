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

__global__ void __launch_bounds__(1024) unpack(const Parameters p) {
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
    for (unsigned i = threadIdx.x; i < tile_rows * width; i += blockDim.x) {
      const unsigned row = i % tile_rows;
      const unsigned column = i / tile_rows;
      if (row < rows)
        staged[row][column] = row_address(
            p.rows, p.first_row + tile * tile_rows + row)[std::uint64_t{dimension + column} * p.rows.dimension_stride];
    }
    __syncthreads();
    float* destination =
        reinterpret_cast<float*>(p.destination) + std::uint64_t{tile} * tile_rows * p.dimensions + dimension;
    for (unsigned i = threadIdx.x; i < rows * chunk; i += blockDim.x)
      if (i % chunk < width)
        destination[std::uint64_t{i / chunk} * p.dimensions + i % chunk] = staged[i / chunk][i % chunk];
    __syncthreads();
  }
}

}  // namespace

PROXEL_KERNEL(unpack_rows)(const Pass&) { return variant(unpack); }

}  // namespace proxel::cuda
