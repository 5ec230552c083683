#pragma once

// Canonical distances of a query to rows here and there whose values are neighbours. A warp reads a part of a row at a time, which
// asks for every line and page of memory once; then each thread adds up one row out of shared memory, in the canonical order.

#include "kernels/canonical.cuh"
#include "kernels/order.cuh"
#include "kernels/rows.cuh"

namespace proxel::cuda {

/// All threads of a workgroup call it together.
class StagedRows {
 public:
  /// Values in shared memory with which a workgroup has a row for each thread, of a warp's width. Rows lie one value
  /// more apart, to keep the banks apart.
  static constexpr __host__ __device__ unsigned fewest_values(unsigned threads) { return threads * 33; }

  /// @param staged  shared memory, [room], where room is fewest_values(32) at least: of rows that do not fit, some at a time
  __device__ StagedRows(const passes::Rows& rows, const float* query, unsigned dimensions, float* staged, unsigned room)
      : rows_(rows), query_(query), dimensions_(dimensions), staged_(staged), room_(room) {}

  /// Whether it is for such rows. Of fewer dimensions a row's line is asked for once or twice in any case.
  static __device__ bool serves(const passes::Rows& rows, unsigned dimensions) {
    return rows.dimension_stride == 1 && dimensions > 32;
  }

  /// Makes keys of row numbers. To be followed by a barrier.
  /// @param keys  [count], in shared memory
  template <Metric metric>
  __device__ __forceinline__ void evaluate(Key* keys, unsigned count) const {
    const unsigned together = min(blockDim.x, room_ / fewest_values(1));
    for (unsigned first = 0; first < count; first += together)
      evaluate_some<metric>(keys + first, min(count - first, together));
  }

 private:
  template <Metric metric>
  __device__ __forceinline__ void evaluate_some(Key* keys, unsigned count) const {
    // As much of each row is read at a time as there is room for.
    if (dimensions_ > 64 && count * 129 <= room_)
      evaluate_in<metric, 128>(keys, count);
    else if (dimensions_ > 32 && count * 65 <= room_)
      evaluate_in<metric, 64>(keys, count);
    else
      evaluate_in<metric, 32>(keys, count);
  }

  // Of as many rows as threads at most, `width` values of each at a time.
  template <Metric metric, unsigned width>
  __device__ __forceinline__ void evaluate_in(Key* keys, unsigned count) const {
    const float* own = staged_ + threadIdx.x * (width + 1);
    float sum = 0;
    for (unsigned first = 0; first < dimensions_; first += width) {
      __syncthreads();  // what was there has been read
      stage<width>(keys, count, first);
      __syncthreads();
      if (threadIdx.x >= count) continue;
      const unsigned here = min(width, dimensions_ - first);
#pragma unroll 16
      for (unsigned i = 0; i < here; ++i) sum = step<metric>(sum, __ldg(query_ + first + i), own[i]);
    }
    if (threadIdx.x >= count) return;
    keys[threadIdx.x] = make_key(distance_key<metric>(sum), static_cast<std::uint32_t>(keys[threadIdx.x]));
  }

  // Dimensions first … first + width - 1 of all rows. A warp asks for sixteen parts before it uses one.
  template <unsigned width>
  __device__ __forceinline__ void stage(const Key* keys, unsigned count, unsigned first) const {
    constexpr unsigned parts = width / 32, together = 16 / parts;
    const unsigned lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (unsigned of = threadIdx.x / 32; of < count; of += together * warps) {
      float read[together][parts];
#pragma unroll
      for (unsigned j = 0; j < together; ++j) {
        const float* row = row_address(rows_, static_cast<std::uint32_t>(keys[min(of + j * warps, count - 1)]));
#pragma unroll
        // Past the last the last is read again: a branch would keep the compiler from asking for all at once.
        for (unsigned part = 0; part < parts; ++part)
          read[j][part] = __ldg(row + min(first + 32 * part + lane, dimensions_ - 1));
      }
#pragma unroll
      for (unsigned j = 0; j < together; ++j)
#pragma unroll
        for (unsigned part = 0; part < parts; ++part)
          if (of + j * warps < count) staged_[(of + j * warps) * (width + 1) + 32 * part + lane] = read[j][part];
    }
  }

  const passes::Rows& rows_;
  const float* query_;
  unsigned dimensions_;
  float* staged_;
  unsigned room_;
};

}  // namespace proxel::cuda
