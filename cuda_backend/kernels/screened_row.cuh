#pragma once

// Canonical distances to the rows that screening left, where neighbouring threads have rows here and there.

#include <type_traits>

#include "kernels/gathered_distance.cuh"
#include "kernels/staged_rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_pack.h"

namespace proxel::cuda {

/// @tparam element  what rows are: element_float32, or element_int8 or element_uint8 of an operand of screen_integers
template <Metric metric, std::uint32_t element>
__device__ __forceinline__ float screened_distance(const passes::Rows& rows, std::uint32_t row, const float* query,
                                                   std::uint32_t dimensions) {
  if constexpr (element == passes::element_float32) {
    return gathered_distance<metric>(rows, row, query, dimensions);
  } else {
    constexpr int origin = element == passes::element_uint8 ? 128 : 0;
    constexpr unsigned together = 16;
    const unsigned blocks = (dimensions - 1) / passes::screen_block_integers + 1;
    const char* values = reinterpret_cast<const char*>(rows.address) +
                         std::uint64_t{row / tile_rows} * blocks * passes::screen_block_bytes +
                         row % tile_rows * passes::screen_block_integers;
    float sum = 0;
    for (unsigned first = 0; first < dimensions; first += together) {
      const unsigned chunk = first / together;
      const uint4 four = __ldg(
          reinterpret_cast<const uint4*>(values + chunk / 8 * passes::screen_block_bytes + 16 * ((chunk ^ row) & 7)));
      const std::uint32_t words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (unsigned i = 0; i < together; ++i) {
        if (first + i >= dimensions) break;
        const int x = static_cast<std::int8_t>(words[i / 4] >> 8 * (i % 4)) + origin;
        sum = step<metric>(sum, __ldg(query + first + i), static_cast<float>(x));
      }
    }
    return sum;
  }
}

/// Makes keys of the numbers of such rows. All threads of a workgroup call it together; a barrier is to follow.
/// @param keys    [count], in shared or in global memory
/// @param staged  shared memory, [room], as StagedRows says
template <Metric metric, std::uint32_t element>
__device__ __forceinline__ void evaluate_screened(const passes::Rows& rows, const float* query,
                                                  std::uint32_t dimensions, Key* keys, unsigned count, float* staged,
                                                  unsigned room) {
  if (element == passes::element_float32 && StagedRows::serves(rows)) {
    StagedRows(rows, query, dimensions, staged, room).template evaluate<metric>(keys, count);
    return;
  }
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    const auto row = static_cast<std::uint32_t>(keys[i]);
    keys[i] = make_key(distance_key<metric>(screened_distance<metric, element>(rows, row, query, dimensions)), row);
  }
}

/// The kernel of a pass that evaluates such rows.
/// @param constants  its metric and element
/// @param choose     called with both as tags
template <typename Constants, typename Choose>
Kernel for_screened(const Constants& constants, const Choose& choose) {
  return for_metric(constants.metric, [&](auto metric) -> Kernel {
    constexpr Metric chosen = decltype(metric)::value;
    if (constants.element == passes::element_float32)
      return choose(metric, std::integral_constant<std::uint32_t, passes::element_float32>{});
    if constexpr (chosen == Metric::l2sq || chosen == Metric::ip) {
      if (constants.element == passes::element_int8)
        return choose(metric, std::integral_constant<std::uint32_t, passes::element_int8>{});
      if (constants.element == passes::element_uint8)
        return choose(metric, std::integral_constant<std::uint32_t, passes::element_uint8>{});
    }
    return {};
  });
}

}  // namespace proxel::cuda
