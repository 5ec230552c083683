// A warp takes a tile, a lane four of its rows, whose codes it reads 16 bytes at a time.

#include "kernels/chain.cuh"
#include "kernels/rows.cuh"
#include "kernels/screen_bound.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_code_tiles.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenCodeTilesParameters;
constexpr unsigned threads = 128;
constexpr unsigned warps = threads / 32;
constexpr unsigned rows_of_lane = 4;

__device__ __forceinline__ uint4 read_codes(const uint4* address) {
  uint4 value;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
      : "l"(address));
  return value;
}

// Adds four dimensions.
template <Metric metric>
__device__ __forceinline__ void add_word(int& sum, std::uint32_t query, std::uint32_t row) {
  if constexpr (metric == Metric::l1)
    sum += static_cast<int>(__vsadu4(query, row));
  else if constexpr (metric == Metric::linf)
    sum = static_cast<int>(__vmaxu4(static_cast<unsigned>(sum), __vabsdiffu4(query, row)));
  else
    sum = __dp4a(static_cast<int>(query), static_cast<int>(row), sum);
}

// What has been added up; of linf, whose lanes of bytes are kept apart, the largest.
template <Metric metric>
__device__ __forceinline__ float total(int sum) {
  if constexpr (metric == Metric::linf) {
    const auto bytes = static_cast<unsigned>(sum);
    return static_cast<float>(max(max(bytes & 0xFFu, bytes >> 8 & 0xFFu), max(bytes >> 16 & 0xFFu, bytes >> 24)));
  }
  return static_cast<float>(sum);
}

// Queries that are not there are as the last.
template <Metric metric, unsigned together, unsigned unroll>
__device__ __forceinline__ void sum_codes(const Parameters& p, unsigned tile, const unsigned (&query)[together],
                                          int (&sums)[together][rows_of_lane]) {
  const auto* rows = reinterpret_cast<const uint4*>(p.rows) + std::uint64_t{tile} * p.words * 32 + threadIdx.x % 32;
  const auto* queries = reinterpret_cast<const std::uint32_t*>(p.queries);
  const auto add = [&](unsigned first, unsigned count) {
    uint4 codes[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i)
      if (i < count) codes[i] = read_codes(rows + std::size_t{first + i} * 32);
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i) {
      if (i >= count) continue;
#pragma unroll
      for (unsigned j = 0; j < together; ++j) {
        const std::uint32_t of_query = __ldg(queries + std::size_t{query[j]} * p.words + first + i);
        add_word<metric>(sums[j][0], of_query, codes[i].x);
        add_word<metric>(sums[j][1], of_query, codes[i].y);
        add_word<metric>(sums[j][2], of_query, codes[i].z);
        add_word<metric>(sums[j][3], of_query, codes[i].w);
      }
    }
  };
  unsigned word = 0;
  for (; word + unroll <= p.words; word += unroll) add(word, unroll);
  if (word < p.words) add(word, p.words - word);
}

template <Metric metric, bool collects, unsigned together>
__global__ void __launch_bounds__(threads) score(const Parameters p) {
  follow_previous_pass();
  constexpr unsigned unroll = 8;
  const Selected selected(p.selected, p.first_selected, p.query_count);
  const unsigned first_query = blockIdx.y * together;
  if (first_query >= selected.count) return;
  const unsigned there = min(together, selected.count - first_query);
  unsigned query[together];
#pragma unroll
  for (unsigned j = 0; j < together; ++j) query[j] = first_query + min(j, there - 1);
  const unsigned groups_per_tile = p.groups_per_tile;
  const unsigned lane = threadIdx.x % 32;

  for (unsigned own = blockIdx.x * warps + threadIdx.x / 32; own < p.tile_count; own += gridDim.x * warps) {
    const unsigned tile = p.first_tile + p.tile_step * own;
    int sums[together][rows_of_lane] = {};
    sum_codes<metric, together, unroll>(p, tile, query, sums);
    const float4 tile_bounds = __ldg(reinterpret_cast<const float4*>(p.row_bounds) + tile);
#pragma unroll
    for (unsigned j = 0; j < together; ++j) {
      if (j >= there) break;
      const QueryBounds bounds(p.query_bounds, query[j]);
      const float factor = bounds.error.z;
      const float4 bias = __ldg(reinterpret_cast<const float4*>(p.biases) +
                                (std::uint64_t{query[j]} * p.bias_stride + tile) * 32 + lane);
      const float error = bounds.error_in(tile_bounds);
      const float scores[rows_of_lane] = {__fadd_rn(__fmul_rn(factor, total<metric>(sums[j][0])), bias.x),
                                          __fadd_rn(__fmul_rn(factor, total<metric>(sums[j][1])), bias.y),
                                          __fadd_rn(__fmul_rn(factor, total<metric>(sums[j][2])), bias.z),
                                          __fadd_rn(__fmul_rn(factor, total<metric>(sums[j][3])), bias.w)};
      if constexpr (collects) {
        const float threshold = __ldg(reinterpret_cast<const float*>(p.thresholds) + query[j]);
        // Never minus infinity, which is the score of rows that are not screened.
        const float least =
            isfinite(threshold) ? fmaxf(threshold - error, -3.40282347e+38f) : __int_as_float(0x7F800000);
#pragma unroll
        for (unsigned i = 0; i < rows_of_lane; ++i) {
          if (!(scores[i] >= least)) continue;
          const unsigned at = atomicAdd(reinterpret_cast<unsigned*>(p.counts) + query[j], 1u);
          if (at < p.capacity)
            reinterpret_cast<uint2*>(p.found)[std::uint64_t{query[j]} * p.capacity + at] =
                make_uint2(__float_as_uint(scores[i]), p.first_index + tile * tile_rows + rows_of_lane * lane + i);
        }
      } else {
        auto* groups = reinterpret_cast<float*>(p.found) + std::uint64_t{query[j]} * p.groups +
                       std::uint64_t{own} * groups_per_tile;
        const float low = fmaxf(scores[0], scores[1]), high = fmaxf(scores[2], scores[3]);
        if (groups_per_tile == 64) {
          groups[2 * lane] = low - error;
          groups[2 * lane + 1] = high - error;
          continue;
        }
        const unsigned lanes = 32 / groups_per_tile;
        float best = fmaxf(low, high);
        for (unsigned distance = 1; distance < lanes; distance *= 2)
          best = fmaxf(best, __shfl_xor_sync(all_lanes, best, distance));
        if (lane % lanes == 0) groups[lane / lanes] = best - error;
      }
    }
  }
}

template <Metric metric, bool collects>
Kernel choose(std::uint32_t together) {
  switch (together) {
    case 1:
      return variant(score<metric, collects, 1>);
    case 4:
      return variant(score<metric, collects, 4>);
    default:
      return {};
  }
}

}  // namespace

PROXEL_KERNEL(screen_code_tiles)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenCodeTilesConstants>();
  if (pass.workgroup_size != threads) return {};
  return for_metric(constants.metric, [&](auto metric) {
    constexpr Metric chosen = decltype(metric)::value;
    return constants.collects != 0 ? choose<chosen, true>(constants.together)
                                   : choose<chosen, false>(constants.together);
  });
}

}  // namespace proxel::cuda
