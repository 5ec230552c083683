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
  for_each_strided(std::uint64_t{p.row_count} * p.query_count, [&](std::uint64_t i) {
    const auto row = static_cast<std::uint32_t>(i) / p.query_count;
    const auto query = static_cast<std::uint32_t>(i) % p.query_count;
    const float* values =
        reinterpret_cast<const float*>(p.queries) + std::uint64_t{query} * p.query_stride;
    const float distance = row_distance<metric>(p.rows, p.first_row + row, values, p.dimensions);
    reinterpret_cast<std::uint32_t*>(p.keys)[std::uint64_t{row} * p.row_pitch + query] =
        distance_key<metric>(distance);
  });
}

}  // namespace

Kernel kernels::pair_distance(const Pass& pass) {
  return for_metric(pass.constants[1],
                    [](auto metric) { return variant(distances<decltype(metric)::value>); });
}

}  // namespace proxel::cuda
