#include "kernels/chain.cuh"
#include "kernels/filter.cuh"
#include "kernels/order.cuh"
#include "kernels/tile_product.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/tile_nearest.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TileNearestParameters;

template <Metric metric, unsigned width>
__global__ void __launch_bounds__(width* width, width == 16 ? 2 : 6) nearest(const __grid_constant__ Parameters p) {
  follow_previous_pass();
  using Product = TileProduct<metric, width>;
  __shared__ typename Product::Storage storage;
  // The best so far of each thread's queries. Shared memory, used once a tile,
  // keeps the registers to the sums.
  __shared__ Key best[per_thread][Product::threads];
  const std::uint32_t first_query = blockIdx.y * Product::side;
  if (first_query >= p.query_count) return;
#pragma unroll
  for (unsigned i = 0; i < per_thread; ++i) best[i][threadIdx.x] = no_row;

  Product product(storage, p.rows, p.rows.count,
                  {reinterpret_cast<const float*>(p.queries), p.query_count, p.query_stride}, first_query,
                  p.dimensions);
  const std::uint32_t row_tiles = (p.rows.count - 1) / Product::side + 1;
  product.visit(blockIdx.x, p.groups, row_tiles, [&](std::uint32_t first_row, const auto& sums) {
    const std::uint32_t left = p.rows.count - first_row;
#pragma unroll
    for (unsigned i = 0; i < per_thread; ++i) {
      std::uint32_t keys[per_thread];
#pragma unroll
      for (unsigned j = 0; j < per_thread; ++j) keys[j] = distance_key<metric>(sums[i][j]);
      std::uint32_t smallest = keys[0];
#pragma unroll
      for (unsigned j = 1; j < per_thread; ++j) smallest = min(smallest, keys[j]);
      // Rows come in ascending order: only a smaller distance can displace the
      // best, or any at all while none, or NaN, is held. That soon becomes rare.
      const auto held = static_cast<std::uint32_t>(best[i][threadIdx.x] >> 32);
      if (smallest >= held && held != 0xFFFFFFFFu) continue;
      const Filter filter(p.filter_bits, p.filter_stride,
                          min(first_query + Product::position(Product::line(), i), p.query_count - 1));
#pragma unroll
      for (unsigned j = 0; j < per_thread; ++j) {
        const unsigned position = Product::position(Product::column(), j);
        if (position < left && filter.allows(p.first_index + first_row + position))
          best[i][threadIdx.x] = smaller(best[i][threadIdx.x], make_key(keys[j], p.first_index + first_row + position));
      }
    }
  });

  __syncthreads();
  // One thread per query: the smallest of the threads that shared it.
  for (unsigned at = threadIdx.x; at < Product::side; at += Product::threads) {
    if (first_query + at >= p.query_count) continue;
    const unsigned half = Product::side / 2;
    const unsigned i = at / half * 4 + at % 4;
    const Key* shared = best[i] + at % half / 4 * width;
    Key smallest = no_row;
#pragma unroll
    for (unsigned column = 0; column < width; ++column) smallest = smaller(smallest, shared[column]);
    reinterpret_cast<Key*>(p.lists)[std::uint64_t{first_query + at} * p.groups + blockIdx.x] = smallest;
  }
}

}  // namespace

PROXEL_KERNEL(tile_nearest)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::TileNearestConstants>();
  const std::uint32_t width = constants.width;
  if ((width != 8 && width != 16) || pass.workgroup_size != width * width) return {};
  return for_metric(constants.metric, [&](auto metric) {
    constexpr Metric chosen = decltype(metric)::value;
    return width == 8 ? variant(nearest<chosen, 8>) : variant(nearest<chosen, 16>);
  });
}

}  // namespace proxel::cuda
