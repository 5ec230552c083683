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

template <std::uint32_t element>
__global__ void __launch_bounds__(1024) pack(const Parameters p) {
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
    for (unsigned i = threadIdx.x; i < tile_rows * chunk; i += blockDim.x) {
      const unsigned row = i / chunk;
      const unsigned column = i % chunk;
      staged[row][column] =
          row < rows && column < width ? widened(source[std::uint64_t{row} * p.dimensions + column]) : 0.0f;
    }
    __syncthreads();
    float* destination = const_cast<float*>(row_address(p.rows, p.first_row + tile * tile_rows)) +
                         std::uint64_t{dimension} * p.rows.dimension_stride;
    for (unsigned i = threadIdx.x; i < tile_rows * width; i += blockDim.x)
      destination[std::uint64_t{i / tile_rows} * p.rows.dimension_stride + i % tile_rows] =
          staged[i % tile_rows][i / tile_rows];
    __syncthreads();
  }
}

}  // namespace

PROXEL_KERNEL(pack_tiles)(const Pass& pass) {
  switch (pass.constants_as<passes::PackTilesConstants>().element) {
    case passes::element_float32:
      return variant(pack<passes::element_float32>);
    case passes::element_float16:
      return variant(pack<passes::element_float16>);
    case passes::element_int8:
      return variant(pack<passes::element_int8>);
    case passes::element_uint8:
      return variant(pack<passes::element_uint8>);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
