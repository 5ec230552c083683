#pragma once

// The canonical distance of one query to one row of any layout, where other
// threads want the same values and they are kept in the caches.

#include "kernels/canonical.cuh"
#include "kernels/rows.cuh"

namespace proxel::cuda {

template <Metric metric>
__device__ __forceinline__ float row_distance(const passes::Rows& rows, std::uint32_t row, const float* query,
                                              std::uint32_t dimensions) {
  const float* values = row_address(rows, row);
  float sum = 0;
#pragma unroll 8
  for (std::uint32_t i = 0; i < dimensions; ++i)
    sum = step<metric>(sum, __ldg(query + i), __ldg(values + std::uint64_t{i} * rows.dimension_stride));
  return sum;
}

}  // namespace proxel::cuda
