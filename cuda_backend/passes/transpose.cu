#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/transpose.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TransposeParameters;
constexpr unsigned side = passes::transpose_side;

__global__ void __launch_bounds__(1024) transposed(const Parameters p) {
  follow_previous_pass();
  // A word more than a side, so that a column of it lies in as many banks.
  __shared__ unsigned square[side][side + 1];
  const unsigned lane = threadIdx.x % side, line = threadIdx.x / side, lines = blockDim.x / side;
  const auto* from = reinterpret_cast<const unsigned*>(p.from);
  auto* to = reinterpret_cast<unsigned*>(p.to);
  for (std::uint64_t row = std::uint64_t{blockIdx.y} * side; row < p.rows; row += std::uint64_t{gridDim.y} * side)
    for (std::uint64_t column = std::uint64_t{blockIdx.x} * side; column < p.columns;
         column += std::uint64_t{gridDim.x} * side) {
      // Of the square, which may end with the matrix.
      const std::uint64_t height = min(std::uint64_t{side}, p.rows - row);
      const std::uint64_t width = min(std::uint64_t{side}, p.columns - column);
      for (unsigned i = line; i < height; i += lines)
        if (lane < width) square[i][lane] = from[(row + i) * p.from_pitch + column + lane];
      __syncthreads();
      for (unsigned i = line; i < width; i += lines)
        if (lane < height) to[(column + i) * p.to_pitch + row + lane] = square[lane][i];
      __syncthreads();  // the square is written anew
    }
}

}  // namespace

PROXEL_KERNEL(transpose)(const Pass& pass) { return whole_warps(pass.workgroup_size) ? variant(transposed) : Kernel{}; }

}  // namespace proxel::cuda
