#include "kernels/chain.cuh"
#include "kernels/filter.cuh"
#include "kernels/selected.cuh"
#include "kernels/tile_product.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_canonical.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenCanonicalParameters;
constexpr unsigned width = 16;
constexpr unsigned groups_per_tile = passes::screen_canonical_groups;
static_assert(width == groups_per_tile && per_thread * width == tile_rows);

template <Metric metric>
__device__ __forceinline__ float score_of(float distance) {
  return metric == Metric::ip ? distance : -distance;
}

__device__ __forceinline__ Filter filter_of(const Parameters& p, const Selected& slots, unsigned slot) {
  return Filter(p.filter_bits, p.filter_stride, p.filter_bits == 0 ? 0 : slots.query(slot));
}
// Bit j tells of row j of this thread.
__device__ __forceinline__ unsigned rows_allowed(const Filter& filter, unsigned first_index, unsigned left) {
  unsigned allowed = 0;
  for (unsigned j = 0; j < per_thread; j += 4)
    if (const unsigned position = TileProduct<Metric::ip, width>::position(threadIdx.x % width, j); position < left)
      allowed |= filter.four(first_index + position, first_index + left - 1) << j;
  return allowed;
}

template <Metric metric>
__device__ __forceinline__ void write_groups(const Parameters& p, unsigned first_slot, const Selected& slots,
                                             unsigned tile, unsigned left,
                                             const float (&sums)[per_thread][per_thread]) {
  using Product = TileProduct<metric, width>;
  const unsigned groups = p.tile_count * groups_per_tile;
  const unsigned place = (tile - p.first_tile) / p.tile_step;
  const unsigned first_index = p.first_index + tile * tile_rows;
#pragma unroll
  for (unsigned i = 0; i < per_thread; ++i) {
    const unsigned slot = first_slot + Product::position(Product::line(), i);
    const unsigned allowed = slot < slots.count ? rows_allowed(filter_of(p, slots, slot), first_index, left) : 0;
    float best = -__builtin_huge_valf();
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j)
      // The maximum drops NaN.
      if (Product::position(Product::column(), j) < left && (allowed >> j & 1) != 0)
        best = fmaxf(best, score_of<metric>(sums[i][j]));
    if (slot < slots.count)
      reinterpret_cast<float*>(p.found)[std::uint64_t{slot} * groups + place * groups_per_tile + Product::column()] =
          best;
  }
}

template <Metric metric>
__device__ __forceinline__ void append_rows(const Parameters& p, unsigned first_slot, const Selected& slots,
                                            const float* thresholds, unsigned* counts, unsigned row, unsigned left,
                                            const float (&sums)[per_thread][per_thread]) {
  using Product = TileProduct<metric, width>;
#pragma unroll
  for (unsigned i = 0; i < per_thread; ++i) {
    const unsigned local = Product::position(Product::line(), i);
    const float threshold = thresholds[local];
    bool any = false;
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j) any |= score_of<metric>(sums[i][j]) >= threshold;
    if (!any) continue;
    // Only a slot that exists has a threshold that scores reach.
    const Filter filter = filter_of(p, slots, first_slot + local);
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j) {
      const unsigned position = Product::position(Product::column(), j);
      const float score = score_of<metric>(sums[i][j]);
      if (!(score >= threshold) || position >= left || !filter.allows(p.first_index + row + position)) continue;
      const unsigned at = atomicAdd(&counts[local], 1u);
      if (at < p.capacity)
        reinterpret_cast<uint2*>(
            p.found)[(std::uint64_t{first_slot + local} * p.splits + blockIdx.x) * p.capacity + at] =
            make_uint2(__float_as_uint(score), p.first_index + row + position);
    }
  }
}

template <Metric metric, bool collect>
__global__ void __launch_bounds__(width* width, 2) screen_canonical(const __grid_constant__ Parameters p) {
  follow_previous_pass();
  using Product = TileProduct<metric, width>;
  __shared__ typename Product::Storage storage;
  __shared__ float thresholds[Product::side];
  __shared__ unsigned counts[Product::side];
  const Selected slots(p.selected, p.first_selected, p.slots);
  for (unsigned first_slot = blockIdx.y * Product::side; first_slot < slots.count;
       first_slot += gridDim.y * Product::side) {
    auto* count_of = reinterpret_cast<unsigned*>(p.counts) + std::uint64_t{first_slot} * p.splits + blockIdx.x;
    __syncthreads();  // the block of slots before has been served
    if constexpr (collect)
      for (unsigned i = threadIdx.x; i < Product::side; i += Product::threads) {
        const bool exists = first_slot + i < slots.count;
        // Nothing reaches the threshold of a slot that does not exist, NaN.
        thresholds[i] =
            exists ? reinterpret_cast<const float*>(p.thresholds)[first_slot + i] : __int_as_float(0x7FC00000);
        counts[i] = exists ? count_of[std::uint64_t{i} * p.splits] : 0;
      }
    __syncthreads();
    Product product(storage, p.rows, p.rows.count,
                    {reinterpret_cast<const float*>(p.queries), slots.count, p.query_stride, slots.numbers}, first_slot,
                    p.dimensions);
    product.visit(p.first_tile + p.tile_step * blockIdx.x, p.tile_step * p.splits,
                  p.first_tile + p.tile_step * p.tile_count, [&](std::uint32_t first_row, const auto& sums) {
      const unsigned left = p.rows.count - first_row;
      if constexpr (collect)
        append_rows<metric>(p, first_slot, slots, thresholds, counts, first_row, left, sums);
      else
        write_groups<metric>(p, first_slot, slots, first_row / tile_rows, left, sums);
    });
    if constexpr (!collect) continue;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < Product::side; i += Product::threads)
      if (first_slot + i < slots.count) count_of[std::uint64_t{i} * p.splits] = counts[i];
  }
}

}  // namespace

PROXEL_KERNEL(screen_canonical)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenCanonicalConstants>();
  if (constants.width != width || pass.workgroup_size != width * width) return {};
  return for_metric(constants.metric, [&](auto metric) {
    constexpr Metric chosen = decltype(metric)::value;
    return constants.collects != 0 ? variant(cuda::screen_canonical<chosen, true>)
                                   : variant(cuda::screen_canonical<chosen, false>);
  });
}

}  // namespace proxel::cuda
