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

// A thread has 32 rows of each of its queries, in pairs of neighbours: row i of pair j is row 8j + 2 * (lane % 4) + i of the tile. Masks
// of them have a bit for each, in an order to which a filter's words are turned soonest: of j = 8a + 4b + 2c + d it is
// 16c + 8d + 4a + 2b + i or, with members of a pair apart, 16c + 8i + 4a + 2b + d.
template <bool members_apart>
struct MaskOrder {
  static constexpr bool apart = members_apart;
  static __host__ __device__ constexpr unsigned bit_of(unsigned j, unsigned i) {
    return j / 2 % 2 * 16 + j / 4 * 2 + (apart ? i * 8 + j % 2 : j % 2 * 8 + i);
  }
  static __host__ __device__ constexpr unsigned pair_of(unsigned bit) {
    return bit / 2 % 4 * 4 + bit / 16 * 2 + (apart ? bit % 2 : bit / 8 % 2);
  }
  static __host__ __device__ constexpr unsigned member_of(unsigned bit) { return apart ? bit / 8 % 2 : bit % 2; }
  static __device__ __forceinline__ unsigned row_of(unsigned bit) {
    const unsigned fours = (bit & 16) | (bit & 6) << 4 | threadIdx.x % 4 * 2;
    return fours | (apart ? (bit & 1) << 3 | (bit >> 3 & 1) : bit & 9);
  }
};

// One of so many, a power of two; of which, bits of a number say. Registers have no addresses.
// @tparam level, levels  those bits
template <unsigned level, unsigned... levels, unsigned count, typename Type>
__device__ __forceinline__ Type one_of(const Type (&all)[count], unsigned number) {
  Type left[count / 2];
#pragma unroll
  for (unsigned i = 0; i < count / 2; ++i) left[i] = (number & level) != 0 ? all[2 * i + 1] : all[2 * i];
  if constexpr (sizeof...(levels) == 0)
    return left[0];
  else
    return one_of<levels...>(left, number);
}

// Which of its rows the filters of a thread's queries leave.
template <typename Order, bool filtered>
struct Allowed {
  __device__ void load(const Parameters&, const ThreadQueries&, unsigned) {}
  __device__ void make_masks() {}
  __device__ __forceinline__ bool row(unsigned, unsigned, unsigned) const { return true; }
  __device__ __forceinline__ unsigned rows(unsigned) const { return ~0u; }
  // Of a pair 16 bits each, the first row's lowest.
  __device__ __forceinline__ unsigned halves(unsigned, unsigned) const { return ~0u; }
};
template <typename Order>
struct Allowed<Order, true> {
  // A word of the tile, and then a mask.
  unsigned masks[2];

  // Before the products, which take longer than the words. Each of the four threads of a query reads one.
  __device__ void load(const Parameters& p, const ThreadQueries& queries, unsigned tile) {
    const unsigned of_query = (p.row_count - 1) / 32 + 1;
    const unsigned word = min(tile * (tile_rows / 32) + threadIdx.x % 4, of_query - 1);
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      // A query that is not there asks as the first, which is.
      const auto* address = reinterpret_cast<const unsigned*>(p.filter_bits) +
                            std::uint64_t{queries.valid[h] ? queries.number + 8 * h : 0} * of_query + word;
      asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(masks[h]) : "l"(address));
    }
  }
  // Bit 8 (j % 4) + 2t + i of word j / 4 is thread t's, of pair j. With a, b, c, d, i as in MaskOrder, and t = 2u + v, bits of a word lie at
  // 16c + 8d + 4u + 2v + i: u and v change places with the a and b of the four threads' words, and d perhaps with i.
  __device__ __forceinline__ void make_masks() {
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      if constexpr (Order::apart) {
        const unsigned changed = (masks[h] ^ masks[h] >> 7) & 0x00AA00AAu;
        masks[h] ^= changed ^ changed << 7;
      }
      masks[h] = exchanged<1, 0x33333333u>(masks[h]);
      masks[h] = exchanged<2, 0x0F0F0F0Fu>(masks[h]);
    }
  }
  // Keeps the bits whose place has the thread's bit, and takes the others from its neighbour's, which are 2 * lanes away there.
  template <unsigned lanes, unsigned of_first>
  static __device__ __forceinline__ unsigned exchanged(unsigned mask) {
    const unsigned neighbour = __shfl_xor_sync(~0u, mask, lanes);
    const bool second = (threadIdx.x & lanes) != 0;
    const unsigned kept = second ? ~of_first : of_first;
    return (mask & kept) | (__funnelshift_l(neighbour, neighbour, second ? 32 - 2 * lanes : 2 * lanes) & ~kept);
  }
  __device__ __forceinline__ bool row(unsigned h, unsigned j, unsigned i) const {
    return (masks[h] >> Order::bit_of(j, i) & 1) != 0;
  }
  __device__ __forceinline__ unsigned rows(unsigned h) const { return masks[h]; }
  __device__ __forceinline__ unsigned halves(unsigned h, unsigned j) const {
    static_assert(Order::apart);
    // The first row's bit comes to the highest place of a byte, the second's to that of the next byte, whose signs are repeated.
    constexpr unsigned of_byte = 8;
    const unsigned bit = Order::bit_of(j, 0);
    unsigned both;
    asm("prmt.b32 %0, %1, 0, %2;"
        : "=r"(both)
        : "r"(masks[h] << (of_byte - 1 - bit % of_byte)), "r"(bit < 16 ? 0x9988u : 0xBBAAu));
    return both;
  }
};
#endif

}  // namespace proxel::cuda::wide
