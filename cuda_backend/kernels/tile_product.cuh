#pragma once

// Distances between a tile of queries and tiles of rows.
//
// A square of width x width threads computes 8*width queries x 8*width rows,
// 8 x 8 of them per thread in registers. Slices of 8 dimensions pass through
// two buffers of shared memory: one is filled while the other is used.

#include "kernels/canonical.cuh"
#include "kernels/copy_async.cuh"
#include "kernels/rows.cuh"

namespace proxel::cuda {

/// Queries or rows of one thread.
constexpr unsigned per_thread = 8;

/// Row-major queries, [count x dimensions].
struct Queries {
  const float* values;
  std::uint32_t count;
  std::uint32_t stride;
  /// Which of the values' rows are meant, [count]; null: the first `count`.
  const unsigned* numbers = nullptr;
};

template <Metric metric, unsigned width>
class TileProduct {
 public:
  static constexpr unsigned side = per_thread * width;
  static constexpr unsigned threads = width * width;
  static constexpr unsigned slice = 8;
  // Four floats of padding put transposing stores of a warp into 32 banks.
  static constexpr unsigned pitch = side + 4;

  struct alignas(16) Slice {
    float queries[slice][pitch];
    float rows[slice][pitch];
  };
  using Storage = Slice[2];
  using Sums = float[per_thread][per_thread];

  /// @param first_query  a multiple of `side`
  /// @param end_row      rows from this one on do not exist
  __device__ TileProduct(Storage& storage, const passes::Rows& rows, std::uint32_t end_row, const Queries& queries,
                         std::uint32_t first_query, std::uint32_t dimensions)
      : storage_(storage),
        rows_(rows),
        end_row_(end_row),
        dimensions_(dimensions),
        queries_left_(queries.count - first_query),
        query_stride_(queries.stride),
        queries_(queries.values + (queries.numbers ? 0 : std::uint64_t{first_query} * queries.stride)),
        numbers_(queries.numbers ? queries.numbers + first_query : nullptr),
        rows_in_fours_(rows.row_stride == 1 && rows.dimension_stride % 4 == 0 && rows.tile_stride % 4 == 0 &&
                       rows.address % 16 == 0) {}

  /// Position within the tile of a thread's i-th query or row: fours of
  /// neighbours, so that threads side by side read side by side.
  static __device__ __forceinline__ unsigned position(unsigned thread_coordinate, unsigned i) {
    return (i < 4 ? 0 : side / 2) + 4 * thread_coordinate + i % 4;
  }
  static __device__ __forceinline__ unsigned column() { return threadIdx.x % width; }
  static __device__ __forceinline__ unsigned line() { return threadIdx.x / width; }

  /// Calls consume(first row, sums[query][row]) for the row tiles first_tile,
  /// first_tile + tile_step, … below end_tile, by all threads together.
  template <typename Consume>
  __device__ __forceinline__ void visit(std::uint32_t first_tile, std::uint32_t tile_step, std::uint32_t end_tile,
                                        const Consume& consume) {
    if (first_tile >= end_tile) return;
    std::uint32_t tile = first_tile;
    std::uint32_t dimension = 0;
    unsigned buffer = 0;
    Sums sums = {};
    fill(storage_[0], tile * side, 0);
    for (;;) {
      // What follows this slice: the next dimensions, or the next tile's first.
      const bool last_slice = dimensions_ - dimension <= slice;
      const std::uint32_t next_tile = last_slice ? tile + tile_step : tile;
      const std::uint32_t next_dimension = last_slice ? 0 : dimension + slice;
      wait_for_copies();
      __syncthreads();  // the slice is complete, and the other buffer no longer read
      if (next_tile < end_tile) fill(storage_[buffer ^ 1], next_tile * side, next_dimension);
      accumulate(storage_[buffer], min(dimensions_ - dimension, slice), sums);
      if (last_slice) {
        consume(tile * side, sums);
        if (next_tile >= end_tile) return;
#pragma unroll
        for (unsigned i = 0; i < per_thread; ++i)
#pragma unroll
          for (unsigned j = 0; j < per_thread; ++j) sums[i][j] = 0;
      }
      tile = next_tile;
      dimension = next_dimension;
      buffer ^= 1;
    }
  }

 private:
  __device__ __forceinline__ void fill(Slice& to, std::uint32_t first_row, std::uint32_t dimension) const {
    if (numbers_)
      copy_numbered(to.queries, dimension);
    else
      copy_turned(to.queries, queries_, query_stride_, 1, queries_left_, dimension);
    const float* from = row_address(rows_, first_row);
    const std::uint32_t left = end_row_ - first_row;
    if (rows_in_fours_)
      copy_fours(to.rows, from, left, dimension);
    else if (rows_.row_stride == 1)
      copy_straight(to.rows, from, left, dimension);
    else
      copy_turned(to.rows, from, rows_.row_stride, rows_.dimension_stride, left, dimension);
  }

  // Threads side by side read along the dimensions of one vector.
  __device__ __forceinline__ void copy_turned(float (*to)[pitch], const float* from, std::uint32_t stride,
                                              std::uint32_t dimension_stride, std::uint32_t left,
                                              std::uint32_t dimension) const {
    const unsigned i = threadIdx.x % slice;
    const bool exists = dimension + i < dimensions_;
    const float* values = from + std::uint64_t{dimension + i} * dimension_stride;
#pragma unroll
    for (unsigned vector = 0; vector < side; vector += threads / slice) {
      const unsigned at = vector + threadIdx.x / slice;
      copy_float(&to[i][at], values + std::uint64_t{at} * stride, exists && at < left);
    }
  }

  // As copy_turned, for queries that stand in any order.
  __device__ __forceinline__ void copy_numbered(float (*to)[pitch], std::uint32_t dimension) const {
    const unsigned i = threadIdx.x % slice;
#pragma unroll
    for (unsigned vector = 0; vector < side; vector += threads / slice) {
      const unsigned at = vector + threadIdx.x / slice;
      const bool exists = dimension + i < dimensions_ && at < queries_left_;
      const std::uint64_t number = at < queries_left_ ? __ldg(numbers_ + at) : 0;
      copy_float(&to[i][at], queries_ + number * query_stride_ + dimension + i, exists);
    }
  }

  // Threads side by side read neighbouring rows of one dimension.
  __device__ __forceinline__ void copy_straight(float (*to)[pitch], const float* from, std::uint32_t left,
                                                std::uint32_t dimension) const {
    const unsigned at = threadIdx.x % side;
#pragma unroll
    for (unsigned first = 0; first < slice; first += threads / side) {
      const unsigned i = first + threadIdx.x / side;
      copy_float(&to[i][at], from + std::uint64_t{dimension + i} * rows_.dimension_stride + at,
                 dimension + i < dimensions_ && at < left);
    }
  }

  // As copy_straight, four rows at a time.
  __device__ __forceinline__ void copy_fours(float (*to)[pitch], const float* from, std::uint32_t left,
                                             std::uint32_t dimension) const {
    constexpr unsigned across = side / 4;
    const unsigned at = 4 * (threadIdx.x % across);
#pragma unroll
    for (unsigned first = 0; first < slice; first += threads / across) {
      const unsigned i = first + threadIdx.x / across;
      const bool exists = dimension + i < dimensions_ && at < left;
      copy_four_floats(&to[i][at], from + std::uint64_t{dimension + i} * rows_.dimension_stride + at,
                       exists ? min(left - at, 4u) : 0);
    }
  }

  static __device__ __forceinline__ void accumulate(const Slice& from, unsigned depth, Sums& sums) {
    if (depth == slice) {
#pragma unroll 4
      for (unsigned dimension = 0; dimension < slice; ++dimension) accumulate_one(from, dimension, sums);
    } else {
#pragma unroll 1
      for (unsigned dimension = 0; dimension < depth; ++dimension) accumulate_one(from, dimension, sums);
    }
  }

  static __device__ __forceinline__ void accumulate_one(const Slice& from, unsigned dimension, Sums& sums) {
    float query[per_thread];
    float row[per_thread];
    read_eight(query, from.queries[dimension] + 4 * line());
    read_eight(row, from.rows[dimension] + 4 * column());
#pragma unroll
    for (unsigned i = 0; i < per_thread; ++i)
#pragma unroll
      for (unsigned j = 0; j < per_thread; ++j) sums[i][j] = step<metric>(sums[i][j], query[i], row[j]);
  }

  static __device__ __forceinline__ void read_eight(float* to, const float* from) {
    const float4 low = *reinterpret_cast<const float4*>(from);
    const float4 high = *reinterpret_cast<const float4*>(from + side / 2);
    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
  }

  Storage& storage_;
  const passes::Rows& rows_;
  std::uint32_t end_row_;
  std::uint32_t dimensions_;
  std::uint32_t queries_left_;
  std::uint32_t query_stride_;
  const float* queries_;
  const unsigned* numbers_;
  bool rows_in_fours_;
};

}  // namespace proxel::cuda
