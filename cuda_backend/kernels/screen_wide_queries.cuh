#pragma once

// The queries of a thread of screen_wide.cuh, and which rows their filters leave.

#include "kernels/screen_wide_blocks.cuh"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
// The two queries of a thread, eight apart: their place, and what their scores may
// err by.
struct ThreadQueries {
  unsigned local;  // of the first, within the workgroup
  unsigned number;
  bool valid[2];
  float4 bounds[2];  // A, B, C

  __device__ ThreadQueries(const Parameters& p, unsigned there, unsigned consumer) {
    local = consumer * 64 + threadIdx.x % warpgroup / 32 * 16 + threadIdx.x % 32 / 4;
    number = blockIdx.y * workgroup_queries + local;
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      valid[h] = number + 8 * h < there;
      bounds[h] =
          valid[h] ? reinterpret_cast<const float4*>(p.query_bounds)[2 * (number + 8 * h)] : make_float4(0, 0, 0, 0);
    }
  }
};

// What scores of a query in a tile err by.
__device__ __forceinline__ float error_of(const float4& query, const float4& tile) {
  return query.x * tile.x + query.y * tile.y + query.z * tile.z + tile.w;
}

// Which rows of a tile the filters of a thread's queries leave.
template <typename Scores, bool filtered>
struct Allowed {
  __device__ void load(const Parameters&, const ThreadQueries&, unsigned) {}
  __device__ __forceinline__ bool row(unsigned, unsigned, unsigned) const { return true; }
  __device__ __forceinline__ unsigned rows(unsigned) const { return ~0u; }
};
template <typename Scores>
struct Allowed<Scores, true> {
  unsigned words[2][tile_rows / 32];  // bits 8 (j % 4) + i of word j / 4

  // Before the products, which take longer than the words.
  __device__ void load(const Parameters& p, const ThreadQueries& queries, unsigned tile) {
    const unsigned of_query = (p.row_count - 1) / 32 + 1;
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      // A query that is not there asks as the first, which is.
      const auto* own = reinterpret_cast<const unsigned*>(p.filter_bits) +
                        std::uint64_t{queries.valid[h] ? queries.number + 8 * h : 0} * of_query;
#pragma unroll
      for (unsigned word = 0; word < tile_rows / 32; ++word) {
        const unsigned* address = own + min(tile * (tile_rows / 32) + word, of_query - 1);
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(words[h][word]) : "l"(address));
      }
    }
  }
  // The one that sums[4j + 2h + i] is of.
  __device__ __forceinline__ bool row(unsigned h, unsigned j, unsigned i) const {
    return (words[h][j / 4] >> 2 * (threadIdx.x % 4) >> (8 * (j % 4) + i) & 1) != 0;
  }
  // All of them, as a mask of a query's sums.
  __device__ __forceinline__ unsigned rows(unsigned h) const { return Scores::mask_of(words[h]); }
};
#endif

}  // namespace proxel::cuda::wide
