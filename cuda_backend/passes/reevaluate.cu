#include "kernels/block_select.cuh"
#include "kernels/chain.cuh"
#include "kernels/gathered_distance.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/reevaluate.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ReevaluateParameters;

template <Metric metric>
__global__ void __launch_bounds__(1024) evaluate(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ float4 shared[];
  const std::uint64_t query = blockIdx.x;
  const float* values = reinterpret_cast<const float*>(p.queries) + query * p.query_stride;
  const auto* candidates = reinterpret_cast<const std::uint32_t*>(p.candidates) + query * p.query_pitch;
  const After after(p.after, p.after_stride, blockIdx.x);
  BlockSelect selection(shared, launch.as<passes::ReevaluateConstants>().list_length, p.k);
  for (std::uint64_t first = 0; first < p.count; first += blockDim.x) {
    const std::uint64_t i = first + threadIdx.x;
    Key keys[1] = {no_row};
    if (i < p.count) {
      const std::uint32_t index = candidates[i * p.rank_pitch];
      const std::uint32_t row = index - p.first_index;
      if (index >= p.first_index && row < p.rows.count)
        keys[0] = after.filter(
            make_key(distance_key<metric>(gathered_distance<metric>(p.rows, row, values, p.dimensions)), index));
    }
    selection.offer(keys);
  }
  selection.write(reinterpret_cast<Key*>(p.keys) + query * p.keys_stride);
}

}  // namespace

PROXEL_KERNEL(reevaluate)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ReevaluateConstants>();
  const std::uint32_t list_length = constants.list_length;
  if (!selectable(list_length, pass.workgroup_size)) return {};
  return for_metric(constants.metric, [&](auto metric) {
    return variant(evaluate<decltype(metric)::value>, select_bytes(list_length, pass.workgroup_size));
  });
}

}  // namespace proxel::cuda
