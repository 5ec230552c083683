#include "kernels/chain.cuh"
#include "kernels/filter.cuh"
#include "kernels/matches.cuh"
#include "kernels/order.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/range_collect.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::RangeCollectParameters;

// Counts `mine` matches of this thread, all threads of the workgroup together.
// Returns the counter of the thread's first one.
__device__ std::uint32_t count_matches(std::uint32_t* counter, unsigned mine) {
  __shared__ std::uint32_t found;
  __shared__ std::uint32_t place;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  const std::uint32_t before = mine != 0 ? atomicAdd(&found, mine) : 0;
  __syncthreads();
  if (threadIdx.x == 0 && found != 0) place = atomicAdd(counter, found);
  __syncthreads();
  return place + before;
}

template <bool writes, std::uint32_t content>
__global__ void __launch_bounds__(1024) collect(const Parameters p) {
  follow_previous_pass();
  const std::uint32_t query = blockIdx.y;
  std::uint32_t* counter = reinterpret_cast<std::uint32_t*>(p.counters) + query;
  std::uint32_t* indices = nullptr;
  std::uint32_t* distance_keys = nullptr;
  std::uint32_t room = 0;
  if constexpr (writes) {
    const Matches matches(p.offsets, query, p.capacity);
    room = matches.count;
    indices = reinterpret_cast<std::uint32_t*>(p.indices) + matches.first;
    distance_keys = reinterpret_cast<std::uint32_t*>(p.distance_keys) + matches.first;
  }
  const Filter filter(p.filter_bits, p.filter_stride, query);
  const std::uint32_t first = blockIdx.x * p.segment_columns;
  const std::uint32_t end = first + min(p.segment_columns, p.columns - first);
  const auto* row = reinterpret_cast<const std::uint32_t*>(p.keys) + std::uint64_t{query} * p.keys_stride;
  const std::uint32_t* rows =
      p.rows == 0 ? nullptr : reinterpret_cast<const std::uint32_t*>(p.rows) + std::uint64_t{query} * p.rows_stride;
  unsigned counted = 0;
  for (std::uint64_t base = first; base < end; base += 4 * blockDim.x) {
    const std::uint64_t column = base + 4 * threadIdx.x;
    const auto at = static_cast<std::uint32_t>(column);
    uint4 keys = make_uint4(0, 0, 0, 0);
    unsigned matching = 0;
    if (column < end) {
      // What follows the last column lies within the query's stride.
      keys = __ldcs(reinterpret_cast<const uint4*>(row + at));
      if constexpr (content != passes::range_keys)
        for (std::uint32_t* key : {&keys.x, &keys.y, &keys.z, &keys.w})
          *key = ordered_key < content == passes::range_values_descending > (__uint_as_float(*key));
      matching = static_cast<unsigned>(keys.x <= p.limit) |
                 static_cast<unsigned>(end - at > 1 && keys.y <= p.limit) << 1 |
                 static_cast<unsigned>(end - at > 2 && keys.z <= p.limit) << 2 |
                 static_cast<unsigned>(end - at > 3 && keys.w <= p.limit) << 3;
      if (matching != 0) matching &= filter.four(p.first_index + at, p.first_index + end - 1);
    }
    if constexpr (!writes) {
      counted += __popc(matching);
    } else {
      std::uint32_t slot = count_matches(counter, __popc(matching));
      const std::uint32_t four[4] = {keys.x, keys.y, keys.z, keys.w};
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        if ((matching >> i & 1u) == 0) continue;
        if (slot < room) {
          indices[slot] = rows ? rows[at + i] : p.first_index + at + i;
          distance_keys[slot] = four[i];
        }
        ++slot;
      }
    }
  }
  if constexpr (!writes) count_matches(counter, counted);
}

template <std::uint32_t content>
Kernel choose(bool writes) {
  return writes ? variant(collect<true, content>) : variant(collect<false, content>);
}

}  // namespace

PROXEL_KERNEL(range_collect)(const Pass& pass) {
  const bool writes = pass.as<Parameters>().indices != 0;
  switch (pass.constants_as<passes::RangeCollectConstants>().content) {
    case passes::range_keys:
      return choose<passes::range_keys>(writes);
    case passes::range_values:
      return choose<passes::range_values>(writes);
    case passes::range_values_descending:
      return choose<passes::range_values_descending>(writes);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
