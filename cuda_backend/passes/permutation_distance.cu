#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/permutation_distance.h"

namespace proxel::cuda {
namespace {

using passes::most_permutants;
using passes::permutation_block;
using passes::permutation_objects_at_once;
using passes::permutation_tile_queries;
using Parameters = passes::PermutationDistanceParameters;

constexpr unsigned threads = 128;

// A word of each query of a tile behind another, so that all are read at once.
using Tile = unsigned[most_permutants / 4][permutation_tile_queries];
// The sums of the four objects of a thread.
using Sums = unsigned[permutation_tile_queries][permutation_objects_at_once];

__device__ __forceinline__ int byte_of(unsigned word, unsigned i) { return static_cast<int>(word >> 8 * i & 255u); }

// Adds what four permutants are apart. Bytes past the last permutant are 0 in both words.
template <unsigned distance>
__device__ __forceinline__ void add(unsigned& sum, unsigned a, unsigned b) {
  if constexpr (distance == passes::permutation_spearman_rho) {
    const unsigned magnitudes = __vabsdiffu4(a, b);
    sum = __dp4a(magnitudes, magnitudes, sum);
  } else {
    // One instruction, where __vsadu4() and an addition are two.
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
  }
}

__device__ unsigned discordant(const Parameters& p, const Tile& queries, unsigned query, const unsigned* positions,
                               unsigned w) {
  const unsigned a = queries[w][query];
  const unsigned b = __ldg(positions + std::size_t{w} * permutation_block);
  unsigned pairs = 0;
  for (unsigned v = 0; v <= w; ++v) {
    const unsigned other_a = queries[v][query];
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

template <unsigned content>
__device__ __forceinline__ void write(void* distances, std::uint64_t first, const unsigned (&four)[4]) {
  if constexpr (content == passes::permutation_two_bytes)
    *reinterpret_cast<uint2*>(static_cast<unsigned short*>(distances) + first) =
        make_uint2((four[0] & 0xFFFFu) | four[1] << 16, (four[2] & 0xFFFFu) | four[3] << 16);
  else
    *reinterpret_cast<uint4*>(static_cast<unsigned*>(distances) + first) =
        make_uint4(four[0], four[1], four[2], four[3]);
}

template <unsigned distance, unsigned content>
__global__ void __launch_bounds__(threads) permutation_distance(const Parameters p) {
  follow_previous_pass();
  __shared__ alignas(16) Tile queries;
  const unsigned words = (p.permutants + 3) / 4;
  const unsigned first_query = blockIdx.y * permutation_tile_queries;
  const unsigned count = min(permutation_tile_queries, p.query_count - first_query);
  for (unsigned i = threadIdx.x; i < words * permutation_tile_queries; i += threads) {
    // Past the last query the last again.
    const unsigned query = min(i % permutation_tile_queries, count - 1);
    const unsigned number = p.first_query + first_query + query;
    queries[i / permutation_tile_queries][i % permutation_tile_queries] = reinterpret_cast<const unsigned*>(
        p.query_positions)[(std::uint64_t{number / permutation_block} * words + i / permutation_tile_queries) *
                               permutation_block +
                           number % permutation_block];
  }
  __syncthreads();
  constexpr unsigned tile_objects = threads * permutation_objects_at_once;
  const unsigned tiles = (p.objects - 1) / tile_objects + 1;
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint64_t object = std::uint64_t{tile} * tile_objects + permutation_objects_at_once * threadIdx.x;
    if (object >= p.objects) continue;
    const unsigned* positions = reinterpret_cast<const unsigned*>(p.positions) +
                                object / permutation_block * words * permutation_block + object % permutation_block;
    Sums sums = {};
    if constexpr (distance == passes::permutation_kendall_tau) {
      for (unsigned query = 0; query < count; ++query)
        for (unsigned i = 0; i < permutation_objects_at_once; ++i)
          for (unsigned w = 0; w < words; ++w) sums[query][i] += discordant(p, queries, query, positions + i, w);
    } else {
#pragma unroll 2
      for (unsigned w = 0; w < words; ++w) {
        const uint4 b = __ldg(reinterpret_cast<const uint4*>(positions + std::size_t{w} * permutation_block));
#pragma unroll
        for (unsigned query = 0; query < permutation_tile_queries; ++query) {
          const unsigned a = queries[w][query];
          add<distance>(sums[query][0], a, b.x);
          add<distance>(sums[query][1], a, b.y);
          add<distance>(sums[query][2], a, b.z);
          add<distance>(sums[query][3], a, b.w);
        }
      }
    }
#pragma unroll
    for (unsigned query = 0; query < permutation_tile_queries; ++query) {
      if (query >= count) continue;
      unsigned four[permutation_objects_at_once];
#pragma unroll
      for (unsigned i = 0; i < permutation_objects_at_once; ++i) {
        four[i] = sums[query][i];
        if constexpr (content == passes::permutation_binary32) four[i] = __float_as_uint(static_cast<float>(four[i]));
        if (object + i >= p.objects) four[i] = ~0u;
      }
      write<content>(reinterpret_cast<void*>(p.distances),
                     std::uint64_t{first_query + query} * p.distance_stride + object, four);
    }
  }
}

template <unsigned distance>
Kernel choose(std::uint32_t content) {
  switch (content) {
    case passes::permutation_binary32:
      return variant(permutation_distance<distance, passes::permutation_binary32>);
    case passes::permutation_two_bytes:
      return variant(permutation_distance<distance, passes::permutation_two_bytes>);
    case passes::permutation_four_bytes:
      return variant(permutation_distance<distance, passes::permutation_four_bytes>);
    default:
      return {};
  }
}

}  // namespace

PROXEL_KERNEL(permutation_distance)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::PermutationDistanceConstants>();
  if (pass.workgroup_size != threads) return {};
  switch (constants.distance) {
    case passes::permutation_footrule:
      return choose<passes::permutation_footrule>(constants.content);
    case passes::permutation_spearman_rho:
      return choose<passes::permutation_spearman_rho>(constants.content);
    case passes::permutation_kendall_tau:
      return choose<passes::permutation_kendall_tau>(constants.content);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
