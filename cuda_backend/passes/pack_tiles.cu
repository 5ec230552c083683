#include "kernels/chain.cuh"
#include "kernels/elements.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/pack_tiles.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::PackTilesParameters;

// Dimensions of a tile that are turned at a time: reads run along dimensions,
// writes along rows, and both are contiguous.
constexpr unsigned chunk = 32;
constexpr unsigned threads = 256;
constexpr unsigned per_thread = tile_rows * chunk / threads;

template <std::uint32_t element>
__global__ void __launch_bounds__(threads) pack(const Parameters p) {
  follow_previous_pass();
  __shared__ float staged[tile_rows][chunk + 1];
  const unsigned chunks = (p.dimensions - 1) / chunk + 1;
  const unsigned tiles = (p.source_rows - 1) / tile_rows + 1;
  const std::uint64_t pieces = std::uint64_t{chunks} * tiles;
  for (std::uint64_t piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    const unsigned tile = static_cast<unsigned>(piece / chunks);
    const unsigned dimension = static_cast<unsigned>(piece % chunks) * chunk;
    const unsigned width = min(chunk, p.dimensions - dimension);
    const unsigned rows = min(tile_rows, p.source_rows - tile * tile_rows);
    const auto* source = reinterpret_cast<const typename Stored<element>::Type*>(p.source) +
                         std::uint64_t{tile} * tile_rows * p.dimensions + dimension;
    const unsigned column = threadIdx.x % chunk;
    // All that a thread reads is under way before it waits for any of it.
    float values[per_thread];
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j) {
      const unsigned row = threadIdx.x / chunk + j * (threads / chunk);
      values[j] = row < rows && column < width ? widened(source[std::uint64_t{row} * p.dimensions + column]) : 0.0f;
    }
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j) staged[threadIdx.x / chunk + j * (threads / chunk)][column] = values[j];
    __syncthreads();
    float* destination = const_cast<float*>(row_address(p.rows, p.first_row + tile * tile_rows)) +
                         std::uint64_t{dimension} * p.rows.dimension_stride;
    const unsigned row = threadIdx.x % tile_rows;
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j) {
      const unsigned i = threadIdx.x / tile_rows + j * (threads / tile_rows);
      if (i < width) destination[std::uint64_t{i} * p.rows.dimension_stride + row] = staged[row][i];
    }
    __syncthreads();
  }
}

template <std::uint32_t element>
Kernel of_element() {
  Kernel kernel = variant(pack<element>);
  kernel.workgroup_size = threads;
  return kernel;
}

}  // namespace

PROXEL_KERNEL(pack_tiles)(const Pass& pass) {
  switch (pass.constants_as<passes::PackTilesConstants>().element) {
    case passes::element_float32:
      return of_element<passes::element_float32>();
    case passes::element_float16:
      return of_element<passes::element_float16>();
    case passes::element_int8:
      return of_element<passes::element_int8>();
    case passes::element_uint8:
      return of_element<passes::element_uint8>();
    default:
      return {};
  }
}

}  // namespace proxel::cuda
