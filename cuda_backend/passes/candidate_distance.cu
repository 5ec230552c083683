#include "kernels/chain.cuh"
#include "kernels/gathered_distance.cuh"
#include "kernels/order.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/candidate_distance.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::CandidateDistanceParameters;

template <Metric metric>
__global__ void __launch_bounds__(1024) distances(const Parameters p) {
  follow_previous_pass();
  const std::uint64_t query = blockIdx.y;
  const float* values = reinterpret_cast<const float*>(p.queries) + query * p.query_stride;
  const auto* candidates = reinterpret_cast<const std::uint32_t*>(p.candidates) + query * p.candidate_stride;
  auto* keys = reinterpret_cast<std::uint32_t*>(p.keys) + query * p.keys_stride;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < p.count;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    const std::uint32_t index = candidates[i];
    const std::uint32_t row = index - p.first_index;
    if (index >= p.first_index && row < p.rows.count)
      keys[i] = distance_key<metric>(gathered_distance<metric>(p.rows, row, values, p.dimensions));
  }
}

}  // namespace

PROXEL_KERNEL(candidate_distance)(const Pass& pass) {
  return for_metric(pass.constants_as<passes::CandidateDistanceConstants>().metric,
                    [&](auto metric) { return variant(distances<decltype(metric)::value>); });
}

}  // namespace proxel::cuda
