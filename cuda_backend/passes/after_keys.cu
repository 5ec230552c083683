#include "kernels/canonical.cuh"
#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/after_keys.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::AfterKeysParameters;

// The distance key of a row that these rows hold.
template <Metric metric>
__device__ std::uint32_t own_distance_key(const Parameters& p, std::uint32_t query, std::uint32_t row) {
  const float* coordinates = reinterpret_cast<const float*>(p.queries) + std::uint64_t{query} * p.query_stride;
  const float* values = row_address(p.rows, row);
  float sum = 0;
#pragma unroll 8
  for (std::uint32_t i = 0; i < p.dimensions; ++i)
    sum = step<metric>(sum, coordinates[i], values[std::uint64_t{i} * p.rows.dimension_stride]);
  return distance_key<metric>(sum);
}

// The distance key of the last value that is seen as the bound or nearer.
template <bool largest, std::uint32_t finish>
__device__ std::uint32_t last_key_within(float bound) {
  if (finish == passes::finish_none || bound != bound || (finish == passes::finish_root && bound < 0))
    return ordered_key<largest>(bound);
  // From the key of 0, or of +infinity that is nearest, to past that of the farthest.
  std::uint32_t least = finish == passes::finish_root ? 0x80000000u : 0x007FFFFFu;
  std::uint32_t above = 0xFF800001u;
  while (above - least > 1) {
    const std::uint32_t middle = least + (above - least) / 2;
    if (decoded_distance(make_key(middle, 0), largest, finish) <= bound)
      least = middle;
    else
      above = middle;
  }
  return least;
}

template <Metric metric, std::uint32_t finish>
__global__ void __launch_bounds__(64) keys_of_pairs(const Parameters p) {
  follow_previous_pass();
  constexpr bool largest = metric == Metric::ip;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t query = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; query < p.query_count;
       query += stride) {
    const float distance = reinterpret_cast<const float*>(p.distances)[query * p.pair_stride];
    const std::uint32_t index = reinterpret_cast<const std::uint32_t*>(p.indices)[query * p.pair_stride];
    Key key = no_row;
    bool found = false;
    if (finish != passes::finish_none && index >= p.first_index && index - p.first_index < p.rows.count) {
      const Key own =
          make_key(own_distance_key<metric>(p, static_cast<std::uint32_t>(query), index - p.first_index), index);
      found = ordered_key<false>(decoded_distance(own, largest, finish)) == ordered_key<false>(distance);
      if (found) key = own;
    }
    if (!found && p.others == 0) continue;
    if (!found) key = make_key(last_key_within<largest, finish>(distance), index);
    if (index == 0xFFFFFFFFu) key = no_row;
    reinterpret_cast<Key*>(p.keys)[query] = key;
  }
}

}  // namespace

PROXEL_KERNEL(after_keys)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::AfterKeysConstants>();
  if (pass.workgroup_size > 64) return {};
  return for_metric(constants.metric, [&](auto metric) {
    constexpr Metric chosen = decltype(metric)::value;
    if constexpr (chosen == Metric::l2sq)
      if (constants.finish == passes::finish_root) return variant(keys_of_pairs<chosen, passes::finish_root>);
    if constexpr (chosen == Metric::ip)
      if (constants.finish == passes::finish_complement)
        return variant(keys_of_pairs<chosen, passes::finish_complement>);
    return variant(keys_of_pairs<chosen, passes::finish_none>);
  });
}

}  // namespace proxel::cuda
