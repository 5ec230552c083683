#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/permutations.h"

namespace proxel::cuda {
namespace {

using passes::permutation_block;
using Parameters = passes::PermutationsParameters;

// A thread counts for four permutants of one object at once.
__global__ void __launch_bounds__(1024) permutations(const Parameters p) {
  follow_previous_pass();
  const unsigned words = (p.permutants + 3) / 4;
  const std::uint64_t first_block = p.first_object / permutation_block;
  const std::uint64_t last = std::uint64_t{p.first_object} + p.objects - 1;
  const std::uint64_t lines = (last / permutation_block - first_block + 1) * words;
  const unsigned lines_at_once = blockDim.x / permutation_block;
  const unsigned lane = threadIdx.x % permutation_block;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * lines_at_once; first < lines;
       first += std::uint64_t{gridDim.x} * lines_at_once) {
    const std::uint64_t line = first + threadIdx.x / permutation_block;
    // Wraps for objects of the first block before the first.
    const std::uint64_t object = (first_block + line / words) * permutation_block + lane - p.first_object;
    if (line >= lines || object >= p.objects) continue;
    const unsigned word = static_cast<unsigned>(line % words);
    const unsigned* distances = reinterpret_cast<const unsigned*>(p.distances) + object * p.object_stride;
    const auto distance_of = [&](unsigned permutant) {
      return __ldg(distances + std::uint64_t{permutant} * p.permutant_stride);
    };
    unsigned own[4];
    unsigned positions[4] = {};
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) own[i] = distance_of(min(4 * word + i, p.permutants - 1));
#pragma unroll 4
    for (unsigned j = 0; j < p.permutants; ++j) {
      const unsigned other = distance_of(j);
#pragma unroll
      for (unsigned i = 0; i < 4; ++i)
        if (other < own[i] || (other == own[i] && j < 4 * word + i)) ++positions[i];
    }
    unsigned packed = 0;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
      if (4 * word + i < p.permutants) packed |= min(positions[i], p.kept) << 8 * i;
    reinterpret_cast<unsigned*>(p.positions)[(first_block * words + line) * permutation_block + lane] = packed;
  }
}

}  // namespace

PROXEL_KERNEL(permutations)(const Pass&) { return variant(cuda::permutations); }

}  // namespace proxel::cuda
