#pragma once

// The canonical distance of one query to one row of any layout, where neighbouring threads
// have rows here and there.

#include "kernels/canonical.cuh"
#include "kernels/rows.cuh"

namespace proxel::cuda {

/// Values that are neighbours are read four at a time, sixteen before the first is used.
template <Metric metric>
__device__ __forceinline__ float gathered_distance(const passes::Rows& rows, std::uint32_t row, const float* query,
                                                   std::uint32_t dimensions) {
  const float* values = row_address(rows, row);
  constexpr unsigned together = 16;
  const bool fours =
      rows.dimension_stride == 1 && ((rows.row_stride | rows.tile_stride) & 3) == 0 && rows.address % 16 == 0;
  float sum = 0;
  unsigned i = 0;
  for (; i + together <= dimensions; i += together) {
    float coordinates[together];
    if (fours) {
#pragma unroll
      for (unsigned j = 0; j < together; j += 4)
        *reinterpret_cast<float4*>(coordinates + j) = __ldg(reinterpret_cast<const float4*>(values + i + j));
    } else {
#pragma unroll
      for (unsigned j = 0; j < together; ++j)
        coordinates[j] = __ldg(values + std::size_t{i + j} * rows.dimension_stride);
    }
#pragma unroll
    for (unsigned j = 0; j < together; ++j) sum = step<metric>(sum, __ldg(query + i + j), coordinates[j]);
  }
  for (; i < dimensions; ++i)
    sum = step<metric>(sum, __ldg(query + i), __ldg(values + std::size_t{i} * rows.dimension_stride));
  return sum;
}

}  // namespace proxel::cuda
