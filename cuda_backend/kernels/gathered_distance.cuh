#pragma once

// The canonical distance of one query to one row of any layout, where neighbouring threads
// have rows here and there.

#include "kernels/canonical.cuh"
#include "kernels/rows.cuh"

namespace proxel::cuda {

/// A row of which several values are asked for before the first is used, those that are neighbours four at a time.
template <Metric metric>
class GatheredRow {
 public:
  __device__ GatheredRow(const passes::Rows& rows, std::uint32_t row, const float* query)
      : values_(row_address(rows, row)), query_(query), stride_(rows.dimension_stride), fours_(reads_fours(rows)) {}

  /// Adds so many dimensions from `first` on.
  /// @tparam count  a multiple of four, or fewer
  template <unsigned count>
  __device__ __forceinline__ float add(float sum, unsigned first) const {
    float coordinates[count];
    if (count % 4 == 0 && fours_) {
#pragma unroll
      for (unsigned i = 0; i < count; i += 4)
        *reinterpret_cast<float4*>(coordinates + i) = __ldg(reinterpret_cast<const float4*>(values_ + first + i));
    } else {
#pragma unroll
      for (unsigned i = 0; i < count; ++i) coordinates[i] = __ldg(values_ + std::size_t{first + i} * stride_);
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) sum = step<metric>(sum, __ldg(query_ + first + i), coordinates[i]);
    return sum;
  }

 private:
  const float* values_;
  const float* query_;
  std::size_t stride_;
  bool fours_;
};

template <Metric metric>
__device__ __forceinline__ float gathered_distance(const passes::Rows& rows, std::uint32_t row, const float* query,
                                                   std::uint32_t dimensions) {
  const GatheredRow<metric> values(rows, row, query);
  float sum = 0;
  unsigned i = 0;
  for (; i + 16 <= dimensions; i += 16) sum = values.template add<16>(sum, i);
  for (; i + 4 <= dimensions; i += 4) sum = values.template add<4>(sum, i);
  for (; i < dimensions; ++i) sum = values.template add<1>(sum, i);
  return sum;
}

}  // namespace proxel::cuda
