#pragma once

// Reading a database through passes::Rows.

#include <cstdint>

#include "proxel/passes/types.h"

namespace proxel::cuda {

using passes::tile_rows;

/// Address of dimension 0 of a row.
__device__ __forceinline__ const float* row_address(const passes::Rows& rows, std::uint32_t row) {
  return reinterpret_cast<const float*>(rows.address) + std::uint64_t{row / tile_rows} * rows.tile_stride +
         row % tile_rows * rows.row_stride;
}

/// Whether the values of a row are neighbours and can be read four at a time.
__device__ __forceinline__ bool reads_fours(const passes::Rows& rows) {
  return rows.dimension_stride == 1 && ((rows.row_stride | rows.tile_stride) & 3) == 0 && rows.address % 16 == 0;
}

__device__ __forceinline__ std::uint32_t tile_count(const passes::Rows& rows) {
  return (rows.count - 1) / tile_rows + 1;
}

/// Reads that nothing will repeat: they leave the first-level cache to the queries.
__device__ __forceinline__ float4 read_once(const float4* address) {
  float4 value;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
      : "l"(address));
  return value;
}

__device__ __forceinline__ float read_once(const float* address) {
  float value;
  asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(address));
  return value;
}

}  // namespace proxel::cuda
