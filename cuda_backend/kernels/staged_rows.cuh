#pragma once

// Canonical distances of a query to rows here and there whose values are neighbours. A warp reads the same line of 32 rows at a time
// into shared memory; there each thread adds up one row, in the canonical order. A thread that reads a row of its own asks for a
// piece of a line at a time, with which the caches and the memory behind them take twice as long.

#include "kernels/canonical.cuh"
#include "kernels/copy_async.cuh"
#include "kernels/order.cuh"
#include "kernels/rows.cuh"

namespace proxel::cuda {

/// All threads of a workgroup call it together; its warps do not wait for one another.
class StagedRows {
 public:
  /// Values in shared memory that suffice; with more of them more lines of a row are asked for at once.
  static constexpr __host__ __device__ unsigned values(unsigned threads) { return threads / 32 * line_values; }

  /// @param staged  shared memory, [room], at a multiple of 16 bytes
  /// @param room    values(blockDim.x) at least
  __device__ StagedRows(const passes::Rows& rows, const float* query, unsigned dimensions, float* staged, unsigned room)
      : rows_(rows), query_(query), dimensions_(dimensions), staged_(staged), room_(room) {}

  /// Whether it is for such rows.
  static __device__ bool serves(const passes::Rows& rows) { return reads_fours(rows); }

  /// Makes keys of row numbers. To be followed by a barrier, where other threads read them.
  /// @param keys  [count], in shared or in global memory
  template <Metric metric>
  __device__ __forceinline__ void evaluate(Key* keys, unsigned count) const {
    // Warps without a row need no room.
    const unsigned warps = min(blockDim.x, count + 31) / 32, lines = (dimensions_ - 1) / width + 1;
    const unsigned together = min(room_ / (max(warps, 1u) * line_values), lines);
    for (unsigned first = threadIdx.x / 32 * 32; first < count; first += blockDim.x)
      evaluate_some<metric>(keys + first, min(count - first, 32u), together);
  }

 private:
  static constexpr unsigned width = 32, lanes_of_row = width / 4, rows_together = 32 / lanes_of_row;
  // Rows lie so far apart that eight threads that read four values of one each have all banks. The query is behind them.
  static constexpr unsigned apart = width + 4, line_values = 32 * apart + width;

  template <Metric metric>
  __device__ __forceinline__ void evaluate_some(Key* keys, unsigned count, unsigned together) const {
    float* own = staged_ + threadIdx.x / 32 * together * line_values;
    float sum = 0;
    for (unsigned first = 0; first < dimensions_; first += together * width) {
      __syncwarp();  // what was there has been read
      const unsigned here = min(together * width, dimensions_ - first);
      for (unsigned line = 0; line * width < here; ++line)
        stage(keys, count, first + line * width, own + line * line_values);
      wait_for_copies();
      __syncwarp();
      for (unsigned line = 0; line * width < here; ++line)
        sum = add<metric>(sum, own + line * line_values, min(width, here - line * width));
    }
    const unsigned lane = threadIdx.x % 32;
    if (lane < count) keys[lane] = make_key(distance_key<metric>(sum), static_cast<std::uint32_t>(keys[lane]));
  }

  // Asks for dimensions first … first + width - 1 of the rows, and of the query.
  __device__ __forceinline__ void stage(const Key* keys, unsigned count, unsigned first, float* line) const {
    const unsigned lane = threadIdx.x % 32, column = lane % lanes_of_row * 4;
    const unsigned left = dimensions_ - min(dimensions_, first + column);
#pragma unroll
    for (unsigned row = lane / lanes_of_row; row < 32; row += rows_together)
      if (row < count)
        copy_four_floats(line + row * apart + column,
                         row_address(rows_, static_cast<std::uint32_t>(keys[row])) + first + (left > 0 ? column : 0),
                         min(left, 4u));
    copy_float(line + 32 * apart + lane, query_ + min(first + lane, dimensions_ - 1), true);
  }

  // Adds so many dimensions of this thread's row.
  template <Metric metric>
  static __device__ __forceinline__ float add(float sum, const float* line, unsigned dimensions) {
    const float *own = line + threadIdx.x % 32 * apart, *query = line + 32 * apart;
    unsigned i = 0;
#pragma unroll 4
    for (; i + 4 <= dimensions; i += 4) {
      const float4 x = *reinterpret_cast<const float4*>(own + i), q = *reinterpret_cast<const float4*>(query + i);
      sum = step<metric>(sum, q.x, x.x);
      sum = step<metric>(sum, q.y, x.y);
      sum = step<metric>(sum, q.z, x.z);
      sum = step<metric>(sum, q.w, x.w);
    }
    for (; i < dimensions; ++i) sum = step<metric>(sum, query[i], own[i]);
    return sum;
  }

  const passes::Rows& rows_;
  const float* query_;
  unsigned dimensions_;
  float* staged_;
  unsigned room_;
};

}  // namespace proxel::cuda
