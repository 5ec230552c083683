#include "kernels/chain.cuh"
#include "kernels/order.cuh"
#include "kernels/tile_product.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/tile_distance.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TileDistanceParameters;

template <Metric metric, unsigned width>
__global__ void __launch_bounds__(width* width, width == 16 ? 2 : 6) distances(const __grid_constant__ Parameters p) {
  follow_previous_pass();
  using Product = TileProduct<metric, width>;
  __shared__ typename Product::Storage storage;
  const std::uint32_t first_query = blockIdx.y * Product::side;
  const std::uint32_t end_row = p.first_row + p.row_count;
  const std::uint32_t first_tile = p.first_row / Product::side + blockIdx.x;
  if (first_query >= p.query_count || blockIdx.x * Product::side >= p.row_count) return;
  Product product(storage, p.rows, end_row, {reinterpret_cast<const float*>(p.queries), p.query_count, p.query_stride},
                  first_query, p.dimensions);
  const bool fours = p.keys % 16 == 0;
  product.visit(first_tile, 1, first_tile + 1, [&](std::uint32_t first_row, const auto& sums) {
#pragma unroll
    for (unsigned i = 0; i < per_thread; ++i) {
      const std::uint32_t query = first_query + Product::position(Product::line(), i);
      if (query >= p.query_count) continue;
      std::uint32_t* keys = reinterpret_cast<std::uint32_t*>(p.keys) + std::uint64_t{query} * p.keys_stride;
#pragma unroll
      for (unsigned j = 0; j < per_thread; j += 4) {
        const std::uint32_t column = first_row - p.first_row + Product::position(Product::column(), j);
        const uint4 four = make_uint4(distance_key<metric>(sums[i][j]), distance_key<metric>(sums[i][j + 1]),
                                      distance_key<metric>(sums[i][j + 2]), distance_key<metric>(sums[i][j + 3]));
        if (fours && column + 4 <= p.row_count) {
          *reinterpret_cast<uint4*>(keys + column) = four;
          continue;
        }
        if (column < p.row_count) keys[column] = four.x;
        if (column + 1 < p.row_count) keys[column + 1] = four.y;
        if (column + 2 < p.row_count) keys[column + 2] = four.z;
        if (column + 3 < p.row_count) keys[column + 3] = four.w;
      }
    }
  });
}

}  // namespace

PROXEL_KERNEL(tile_distance)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::TileDistanceConstants>();
  const std::uint32_t width = constants.width;
  if ((width != 8 && width != 16) || pass.workgroup_size != width * width) return {};
  return for_metric(constants.metric, [&](auto metric) {
    constexpr Metric chosen = decltype(metric)::value;
    return width == 8 ? variant(distances<chosen, 8>) : variant(distances<chosen, 16>);
  });
}

}  // namespace proxel::cuda
