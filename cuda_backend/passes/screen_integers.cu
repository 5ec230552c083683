// A thread packs one row, 16 values at a time.

#include "kernels/chain.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_pack.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenIntegersParameters;
constexpr unsigned threads = tile_rows;
constexpr unsigned together = 16;

// What is known of a row's values less the origin.
struct Sums {
  int sum = 0, squares = 0;
  float unshifted_squares = 0;
  bool integers = true;

  __device__ std::uint32_t add(float value, float origin) {
    // Asked of the value itself: a difference may round to an integer.
    integers = integers && value >= origin - 128 && value <= origin + 127 && truncf(value) == value;
    const int code = static_cast<int>(fminf(fmaxf(__fsub_rn(value, origin), -128), 127));
    sum += code;
    squares += code * code;
    unshifted_squares += value * value;
    return static_cast<std::uint32_t>(code) & 0xFFu;
  }
};

__device__ __forceinline__ uint4* chunk_of(const Parameters& p, unsigned tile, unsigned chunk) {
  const unsigned row = threadIdx.x;
  char* block = reinterpret_cast<char*>(p.packed) +
                (std::uint64_t{tile} * p.depth_blocks + chunk / 8) * passes::screen_block_bytes;
  return reinterpret_cast<uint4*>(block + 128 * row + 16 * (chunk % 8 ^ row % 8));
}

// What a query's canonical distances may miss, and its norm: see docs/proofs/screened.md.
template <bool ip>
__device__ __forceinline__ void write_query_bounds(const Parameters& p, unsigned query, const Sums& sums) {
  const bool exact = p.dimensions <= passes::screen_exact_distances;
  const float gamma = exact ? 0.0f : 1.01f * static_cast<float>(p.dimensions + 4) * 0x1p-24f;
  const float up = 1.0f + static_cast<float>(p.dimensions + 64) * 0x1p-22f;
  auto* bounds = reinterpret_cast<float4*>(p.bounds) + 2 * std::uint64_t{query};
  bounds[0] = make_float4(0, 0, 0, sums.integers ? 1.0f : 0.0f);
  if (!sums.integers) {
    bounds[1] = make_float4(0, 0, 0, 0);
  } else if constexpr (ip) {
    const float largest = sqrtf(sums.unshifted_squares) * 255 * sqrtf(static_cast<float>(p.dimensions));
    bounds[1] = make_float4(0, 0, 2.02f * gamma * largest * up, 0);
  } else {
    bounds[1] = make_float4(0.5f * static_cast<float>(sums.squares) * up, 2.1f * gamma * up, 0, 0);
  }
}

template <bool queries, bool ip>
__global__ void __launch_bounds__(threads) pack(const Parameters p) {
  follow_previous_pass();
  const unsigned tile = p.first_tile + blockIdx.x;
  const unsigned row = tile * tile_rows + threadIdx.x;
  const bool exists = row < p.rows.count;
  const float* values = row_address(p.rows, exists ? row : 0);
  const auto origin = static_cast<float>(p.origin);
  const unsigned chunks = p.depth_blocks * (passes::screen_block_integers / together);
  Sums sums;
  for (unsigned chunk = 0; chunk < chunks; ++chunk) {
    std::uint32_t words[4] = {};
    if (exists)
#pragma unroll
      for (unsigned i = 0; i < together; ++i) {
        const unsigned dimension = together * chunk + i;
        if (dimension < p.dimensions)
          words[i / 4] |= sums.add(__ldg(values + std::size_t{dimension} * p.rows.dimension_stride), origin)
                          << 8 * (i % 4);
      }
    *chunk_of(p, tile, chunk) = make_uint4(words[0], words[1], words[2], words[3]);
  }
  const bool usable = exists && sums.integers;
  if (exists && !usable)
    for (unsigned chunk = 0; chunk < chunks; ++chunk) *chunk_of(p, tile, chunk) = make_uint4(0, 0, 0, 0);
  if constexpr (queries) {
    if (exists) write_query_bounds<ip>(p, row, sums);
  } else {
    const int bias = ip ? static_cast<int>(p.origin) * sums.sum : -((sums.squares + 1) / 2);
    reinterpret_cast<int*>(p.biases)[row] = usable ? bias : static_cast<int>(passes::screen_integer_nothing);
    if (exists && !usable) atomicAdd(reinterpret_cast<unsigned*>(p.others), 1u);
    if (threadIdx.x != 0) return;
    const float rounding =
        p.dimensions <= passes::screen_exact_scores ? 0.0f : static_cast<float>(p.dimensions) * 0x1p-8f;
    reinterpret_cast<float4*>(p.bounds)[tile] = make_float4(0, 0, 0, (ip ? 0.0f : 0.5f) + rounding);
  }
}

template <bool queries>
Kernel choose(Metric metric) {
  return metric == Metric::ip ? variant(pack<queries, true>) : variant(pack<queries, false>);
}

}  // namespace

PROXEL_KERNEL(screen_integers)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenIntegersConstants>();
  if (pass.workgroup_size != threads) return {};
  return constants.queries != 0 ? choose<true>(constants.metric) : choose<false>(constants.metric);
}

}  // namespace proxel::cuda
