#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/permutation_distance.h"

namespace proxel::cuda {
namespace {

using passes::most_permutants;
using passes::permutation_block;
using Parameters = passes::PermutationDistanceParameters;

constexpr unsigned threads = 128;

__device__ __forceinline__ int byte_of(unsigned word, unsigned i) {
  return static_cast<int>(word >> 8 * i & 255u);
}

// Bytes past the last permutant are 0 in both words.
template <unsigned distance>
__device__ __forceinline__ unsigned difference(unsigned a, unsigned b) {
  const unsigned magnitudes = __vabsdiffu4(a, b);
  if constexpr (distance == passes::permutation_spearman_rho)
    return __dp4a(magnitudes, magnitudes, 0u);
  else
    return __dp4a(magnitudes, 0x01010101u, 0u);
}

__device__ unsigned discordant(const Parameters& p, const unsigned* query, const unsigned* positions,
                               unsigned w) {
  const unsigned a = query[w];
  const unsigned b = __ldg(positions + std::size_t{w} * permutation_block);
  unsigned pairs = 0;
  for (unsigned v = 0; v <= w; ++v) {
    const unsigned other_a = query[v];
    const unsigned other_b = __ldg(positions + std::size_t{v} * permutation_block);
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
#pragma unroll
      for (unsigned j = 0; j < 4; ++j)
        if (4 * v + j < 4 * w + i && 4 * w + i < p.permutants &&
            (byte_of(a, i) - byte_of(other_a, j)) * (byte_of(b, i) - byte_of(other_b, j)) < 0)
          ++pairs;
  }
  return pairs;
}

template <unsigned distance>
__global__ void __launch_bounds__(threads) permutation_distance(const Parameters p) {
  follow_previous_pass();
  __shared__ unsigned query[most_permutants / 4];
  const unsigned words = (p.permutants + 3) / 4;
  const unsigned number = p.first_query + blockIdx.y;
  const unsigned* from = reinterpret_cast<const unsigned*>(p.query_positions) +
                         std::uint64_t{number / permutation_block} * words * permutation_block +
                         number % permutation_block;
  for (unsigned i = threadIdx.x; i < words; i += threads)
    query[i] = from[std::size_t{i} * permutation_block];
  __syncthreads();
  const unsigned tiles = (p.objects - 1) / threads + 1;
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint64_t object = std::uint64_t{tile} * threads + threadIdx.x;
    if (object >= p.objects) continue;
    const unsigned* positions = reinterpret_cast<const unsigned*>(p.positions) +
                                object / permutation_block * words * permutation_block +
                                object % permutation_block;
    unsigned sum = 0;
    if constexpr (distance == passes::permutation_kendall_tau) {
      for (unsigned w = 0; w < words; ++w) sum += discordant(p, query, positions, w);
    } else {
#pragma unroll 8
      for (unsigned w = 0; w < words; ++w)
        sum += difference<distance>(query[w], __ldg(positions + std::size_t{w} * permutation_block));
    }
    reinterpret_cast<float*>(p.distances)[std::uint64_t{blockIdx.y} * p.distance_stride + object] =
        static_cast<float>(sum);
  }
}

}  // namespace

Kernel kernels::permutation_distance(const Pass& pass) {
  if (pass.workgroup_size != threads) return {};
  switch (pass.constants[1]) {
    case passes::permutation_footrule: return variant(cuda::permutation_distance<0>);
    case passes::permutation_spearman_rho: return variant(cuda::permutation_distance<1>);
    case passes::permutation_kendall_tau: return variant(cuda::permutation_distance<2>);
    default: return {};
  }
}

}  // namespace proxel::cuda
