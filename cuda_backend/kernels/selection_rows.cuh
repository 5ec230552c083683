#pragma once

// Reading a row of a selection's matrix sixteen bytes at a time, and writing the
// result of a row.

#include "kernels/decode.cuh"
#include "proxel/passes/types.h"

namespace proxel::cuda {

/// One row. Its vectors begin at its start rounded down to 16 bytes, so that
/// element e of vector v is column 4 * v + e - skip.
struct SelectionRow {
  const float* aligned;
  unsigned skip;  // elements of vector 0 that lie before the row
  std::uint32_t columns;
  std::uint32_t full;  // vectors before the one that holds the first element past the row

  __device__ SelectionRow(const passes::SelectionRows& rows, std::uint64_t row) : columns(rows.columns) {
    const std::uint64_t start = rows.values + 4 * row * rows.row_stride;
    skip = static_cast<unsigned>(start / 4 % 4);
    aligned = reinterpret_cast<const float*>(start - 4 * skip);
    full = columns / 4 + (columns % 4 + skip) / 4;
  }

  __device__ std::uint64_t vectors() const { return (std::uint64_t{columns} + skip + 3) / 4; }

  /// A vector; NaN where an element is not of the row.
  __device__ __forceinline__ float4 read(std::uint32_t vector) const {
    if (vector < full && (vector != 0 || skip == 0)) return __ldcs(reinterpret_cast<const float4*>(aligned) + vector);
    const float nothing = __uint_as_float(0x7FC00000u);
    float4 values = {nothing, nothing, nothing, nothing};
    const std::uint64_t v = vector;
    const float* from = aligned + 4 * v;
    if (holds(4 * v)) values.x = from[0];
    if (holds(4 * v + 1)) values.y = from[1];
    if (holds(4 * v + 2)) values.z = from[2];
    if (holds(4 * v + 3)) values.w = from[3];
    return values;
  }

  /// The column at a position counted from the aligned start, or 0xFFFFFFFF.
  __device__ __forceinline__ std::uint32_t column(std::uint64_t position) const {
    return holds(position) ? static_cast<std::uint32_t>(position - skip) : 0xFFFFFFFFu;
  }

 private:
  __device__ __forceinline__ bool holds(std::uint64_t position) const {
    return position >= skip && position - skip < columns;
  }
};

/// Vectors of a row in registers, as PoolSelect::offer takes them.
/// @tparam ascending  no column offered before is above those of the chunk
template <unsigned vector_count, bool largest_first, bool ascending>
struct SelectionChunk {
  static constexpr unsigned count = 4 * vector_count;
  const SelectionRow* row;  // a chunk may be assigned to another
  float values[count];
  std::uint32_t first[vector_count];  // the vectors

  __device__ explicit SelectionChunk(const SelectionRow& of) : row(&of) {}

  __device__ __forceinline__ void read(unsigned i, std::uint32_t vector) {
    first[i] = vector;
    keep(i, row->read(vector));
  }

  /// Vectors `start` + threadIdx.x and every blockDim.x behind it.
  __device__ __forceinline__ void read_stream(std::uint64_t start) {
    const bool whole = (start != 0 || row->skip == 0) && start + vector_count * blockDim.x <= row->full;
#pragma unroll
    for (unsigned i = 0; i < vector_count; ++i)
      first[i] = static_cast<std::uint32_t>(start) + i * blockDim.x + threadIdx.x;
    if (whole) {
#pragma unroll
      for (unsigned i = 0; i < vector_count; ++i)
        keep(i, __ldcs(reinterpret_cast<const float4*>(row->aligned) + first[i]));
    } else {
#pragma unroll
      for (unsigned i = 0; i < vector_count; ++i) keep(i, row->read(first[i]));
    }
  }

  /// Vectors from all of the row, two by two: as much as is read from memory at a time.
  __device__ __forceinline__ void read_sample() {
    const auto apart = static_cast<std::uint32_t>(row->vectors() / (vector_count * blockDim.x / 2));
#pragma unroll
    for (unsigned i = 0; i < vector_count; ++i) {
      const unsigned number = i * blockDim.x + threadIdx.x;
      read(i, number / 2 * apart + number % 2);
    }
  }

  __device__ __forceinline__ std::uint32_t key(unsigned j) const { return ordered_key<largest_first>(values[j]); }
  __device__ __forceinline__ std::uint32_t index(unsigned j) const {
    return row->column(4 * std::uint64_t{first[j / 4]} + j % 4);
  }

  /// Of a value that chosen() has a bit for: it is a number, and so of the row.
  __device__ __forceinline__ Key chosen_key(unsigned j) const {
    return make_key(number_key<largest_first>(values[j]), 4 * first[j / 4] + j % 4 - row->skip);
  }

  /// The value that comes first of all, a NaN only of NaNs.
  __device__ __forceinline__ float best() const {
    // fminf and fmaxf pass over NaNs.
    float value = values[0];
#pragma unroll
    for (unsigned j = 1; j < count; ++j) value = largest_first ? fmaxf(value, values[j]) : fminf(value, values[j]);
    return value;
  }

  /// The key of the first that equals this number, where vectors were read in the order of their columns.
  __device__ __forceinline__ Key first_key(float value) const {
    std::uint32_t column = 0;
#pragma unroll
    for (unsigned j = count; j-- > 0;)
      if (values[j] == value) column = 4 * first[j / 4] + j % 4 - row->skip;
    return make_key(number_key<largest_first>(value), column);
  }

  /// See PoolSelect::offer. The bound's distance key is not that of NaN.
  __device__ __forceinline__ unsigned chosen(Key bound) const {
    // Between the key of the last number and that of NaN there is no value.
    std::uint32_t word = min(static_cast<std::uint32_t>(bound >> 32), 0xFF800000u);
    // Where the bound is a column before the chunk, its equals here are beyond it.
    const std::uint64_t start = std::uint64_t{first[0]} - threadIdx.x;
    if (ascending && start != 0 && static_cast<std::uint32_t>(bound) < 4 * start - row->skip) --word;
    // Below +0 comes no second zero.
    if (!largest_first && word == 0x7FFFFFFFu) --word;
    const float limit = ascending_value(largest_first ? ~word : word);
    // No comparison with a NaN is true.
    if (largest_first ? !(best() >= limit) : !(best() <= limit)) return 0;
    unsigned bits = 0;
#pragma unroll
    for (unsigned j = 0; j < count; ++j)
      bits |= static_cast<unsigned>(largest_first ? values[j] >= limit : values[j] <= limit) << j;
    return bits;
  }

  /// A bit for each key up to a bound, which may be of any value, where the chunk was read as a stream.
  /// @param start  the stream's vector that the chunk begins with
  __device__ __forceinline__ unsigned up_to(Key bound, std::uint64_t start) const {
    static_assert(ascending);
    // Behind the last number there are NaNs, which no comparison of numbers chooses.
    const bool beyond_numbers = bound >= make_key(0xFF800001u, 0);
    unsigned bits = beyond_numbers ? (1u << count) - 1 : chosen(bound);
    // Of values that equal the bound's, those up to its column: elsewhere all are, or none.
    const std::uint64_t vector = (std::uint64_t{static_cast<std::uint32_t>(bound)} + row->skip) / 4;
    if (bits == 0 || (!beyond_numbers && (vector < start || vector >= start + vector_count * blockDim.x))) return bits;
#pragma unroll
    for (unsigned j = 0; j < count; ++j)
      if (index(j) == 0xFFFFFFFFu || make_key(key(j), index(j)) > bound) bits &= ~(1u << j);
    return bits;
  }

 private:
  __device__ __forceinline__ void keep(unsigned i, const float4& four) {
    values[4 * i] = four.x;
    values[4 * i + 1] = four.y;
    values[4 * i + 2] = four.z;
    values[4 * i + 3] = four.w;
  }
};

/// Writes slot `slot` of a row's result; no_row pads it.
__device__ __forceinline__ void write_selected(const passes::SelectionResult& result, const passes::SelectionRows& rows,
                                               std::uint64_t row, std::uint64_t slot, Key key, bool largest_first) {
  std::uint32_t index = decoded_index(key);
  if (result.payload && key != no_row)
    index = reinterpret_cast<const std::uint32_t*>(result.payload)[row * rows.row_stride + index];
  reinterpret_cast<std::uint32_t*>(result.indices)[row * result.k + slot] = index;
  reinterpret_cast<float*>(result.selected)[row * result.k + slot] =
      decoded_distance(key, largest_first, passes::finish_none);
}

/// The row of a workgroup of a two-dimensional grid, which there need not be.
__device__ __forceinline__ std::uint64_t row_of_workgroup() {
  return std::uint64_t{blockIdx.y} * gridDim.x + blockIdx.x;
}
/// The same where workgroups along x share a row.
__device__ __forceinline__ std::uint64_t row_of_sharing_workgroups() {
  return std::uint64_t{blockIdx.z} * gridDim.y + blockIdx.y;
}

}  // namespace proxel::cuda
