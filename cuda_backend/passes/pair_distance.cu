#include "kernels/chain.cuh"
#include "kernels/order.cuh"
#include "kernels/row_distance.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/pair_distance.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::PairDistanceParameters;

template <Metric metric>
__global__ void __launch_bounds__(1024) distances(const Parameters p) {
  follow_previous_pass();
  using passes::pair_queries;
  using passes::pair_rows;
  constexpr std::uint32_t pairs = pair_rows * pair_queries;
  const std::uint32_t across = (p.query_count - 1) / pair_queries + 1;
  const std::uint32_t down = (p.row_count - 1) / pair_rows + 1;
  for_each_strided(std::uint64_t{down} * across * pairs, [&](std::uint64_t i) {
    const auto block = static_cast<std::uint32_t>(i / pairs);
    const auto pair = static_cast<std::uint32_t>(i % pairs);
    const std::uint32_t row = block / across * pair_rows + pair % pair_rows;
    const std::uint32_t query = block % across * pair_queries + pair / pair_rows;
    if (row >= p.row_count || query >= p.query_count) return;
    const float* values = reinterpret_cast<const float*>(p.queries) + std::uint64_t{query} * p.query_stride;
    const float distance = row_distance<metric>(p.rows, p.first_row + row, values, p.dimensions);
    reinterpret_cast<std::uint32_t*>(p.keys)[std::uint64_t{row} * p.row_pitch + query] = distance_key<metric>(distance);
  });
}

}  // namespace

PROXEL_KERNEL(pair_distance)(const Pass& pass) {
  return for_metric(pass.constants_as<passes::PairDistanceConstants>().metric,
                    [](auto metric) { return variant(distances<decltype(metric)::value>); });
}

}  // namespace proxel::cuda
