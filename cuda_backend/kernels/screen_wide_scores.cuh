#pragma once

// What scores of screen_wide.cuh are, as products leave them: of halves or of integers.

#include <cfloat>

#include "kernels/screen_wide_queries.cuh"
#include "proxel/passes/screen_integers.h"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
constexpr float no_score = -__builtin_huge_valf();

// The number of a block that is known when the kernel is compiled.
template <unsigned number>
struct KnownBlock {
  __device__ __forceinline__ constexpr operator unsigned() const { return number; }
};

// A warpgroup's queries, in shared memory.
class SharedQueries {
 public:
  static constexpr unsigned most_blocks = 0;  // any number
  __device__ SharedQueries(const Parameters& p, const Blocks& blocks, unsigned member)
      : blocks_(blocks), member_(member), depth_blocks_(p.depth_blocks) {}
  __device__ std::uint64_t block(unsigned stage, unsigned number) const {
    return hopper::operand(blocks_.query_block(stage, member_ / 2, number, depth_blocks_) + member_ % 2 * 64 * 128);
  }

 private:
  const Blocks& blocks_;
  unsigned member_;
  unsigned depth_blocks_;
};

// What the sums of a thread become, 64 of them: that of number 4j + 2h + i is of query 8h further than the thread's first and of row
// 8j + 2 * (lane % 4) + i.
template <typename Type_>
struct PlainSums {
  using Type = Type_;
  using Sums = Type[64];
  using Queries = SharedQueries;
  static __device__ __forceinline__ Type sum(const Sums& sums, unsigned j, unsigned h, unsigned i) {
    return sums[4 * j + 2 * h + i];
  }
  // A mask has 32 of a query's, its highest bit the first: number `lead` is of row 8j + 2 * (lane % 4) + i.
  static __device__ __forceinline__ unsigned row_of(unsigned lead) {
    return 2 * (threadIdx.x % 4) + 8 * (lead / 2) + lead % 2;
  }
  // One of them. Registers have no addresses.
  static __device__ __forceinline__ Type element(const Sums& sums, unsigned h, unsigned lead) {
    Type left[16];
#pragma unroll
    for (unsigned i = 0; i < 16; ++i) left[i] = (lead & 1) != 0 ? sums[4 * i + 2 * h + 1] : sums[4 * i + 2 * h];
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) left[i] = (lead & 2) != 0 ? left[2 * i + 1] : left[2 * i];
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) left[i] = (lead & 4) != 0 ? left[2 * i + 1] : left[2 * i];
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) left[i] = (lead & 8) != 0 ? left[2 * i + 1] : left[2 * i];
    return (lead & 16) != 0 ? left[1] : left[0];
  }
  // What scores of a query in a tile err by.
  static __device__ __forceinline__ float error(const ThreadQueries& queries, unsigned h, const float4& tile) {
    return queries.error(h, tile);
  }
  // Whether scores can be compared with what is asked.
  static __device__ __forceinline__ bool can_ask(Type) { return true; }
  // The rows that a filter leaves, as such a mask.
  // @param words  of a tile's rows
  static __device__ __forceinline__ unsigned mask_of(const unsigned (&words)[4]) {
    unsigned bytes[4];
#pragma unroll
    for (unsigned word = 0; word < 4; ++word) {
      // Two bits of each byte, at 0, 8, 16 and 24, meet at 18, 20, 22 and 24.
      const unsigned pairs = words[word] >> 2 * (threadIdx.x % 4) & 0x03030303u;
      bytes[word] = pairs * (1u << 18 | 1u << 12 | 1u << 6 | 1u) >> 18 & 255u;
    }
    return __brev(bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24);
  }
};

// What scores are, as products leave them. A bias is added to each, which is kept in the same type.
struct HalfScores : PlainSums<float> {
  static constexpr float nothing = no_score;

  static __device__ __forceinline__ void multiply(Sums& sums, std::uint64_t a, std::uint64_t b, unsigned step,
                                                  int accumulate) {
    hopper::multiply_64x128x16(sums, a + 2 * step, b + 2 * step, accumulate);
  }
  // The larger of sum + bias and another score.
  static __device__ __forceinline__ float larger(float sum, float bias, float other) {
    return fmaxf(sum + bias, other);
  }
  static __device__ __forceinline__ float value(float score) { return score; }
  static __device__ __forceinline__ float of_bits(std::uint32_t bits) { return __uint_as_float(bits); }
  // The least score that is worth `value`, which is finite.
  static __device__ __forceinline__ float least(float value) { return fmaxf(value, -FLT_MAX); }
  // Has its highest bit set where a score is less than `least`: a difference of two numbers is 0 only where they are equal. (That -0 is
  // less than 0 here is covered by what a threshold is lowered by.)
  static __device__ __forceinline__ unsigned short_of(float sum, float bias, float least) {
    return __float_as_uint(__fsub_rn(__fadd_rn(sum, bias), least));
  }
  static constexpr float unreachable = __builtin_huge_valf();
};
struct IntegerScores : PlainSums<int> {
  static constexpr int nothing = static_cast<int>(passes::screen_integer_nothing);

  static __device__ __forceinline__ void multiply(Sums& sums, std::uint64_t a, std::uint64_t b, unsigned step,
                                                  int accumulate) {
    hopper::multiply_64x128x32(sums, a + 2 * step, b + 2 * step, accumulate);
  }
  static __device__ __forceinline__ int larger(int sum, int bias, int other) {
    return __viaddmax_s32(sum, bias, other);
  }
  static __device__ __forceinline__ float value(int score) {
    return score <= nothing / 2 ? no_score : __int2float_rn(score);
  }
  static __device__ __forceinline__ int of_bits(std::uint32_t bits) { return static_cast<int>(bits); }
  static __device__ __forceinline__ int least(float value) {
    return min(max(__float2int_ru(value), nothing / 2 + 1), unreachable);
  }
  static __device__ __forceinline__ unsigned short_of(int sum, int bias, int least) {
    return static_cast<unsigned>(sum + bias - least);
  }
  // Beyond every score, and so little that a difference does not overflow.
  static constexpr int unreachable = 1 << 30;
};

// The biases of two neighbouring rows.
template <typename Scores>
struct Biases {
  typename Scores::Type x, y;
  __device__ __forceinline__ Biases(const std::uint32_t* biases, unsigned j) {
    const auto two = *reinterpret_cast<const uint2*>(biases + 8 * j + 2 * (threadIdx.x % 4));
    x = Scores::of_bits(two.x);
    y = Scores::of_bits(two.y);
  }
};

// Masks of the sums that are at least what their query asks, or more.
template <typename Scores>
__device__ __forceinline__ void find_passing(const typename Scores::Sums& sums, const Margins& margins,
                                             const typename Scores::Type (&least)[2], unsigned (&passing)[2]) {
#pragma unroll
  for (unsigned h = 0; h < 2; ++h) passing[h] = 0;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) {
    const Biases<Scores> bias(margins.biases, j);
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      const auto* pair = sums + 4 * j + 2 * h;
      passing[h] = __funnelshift_l(Scores::short_of(pair[0], bias.x, least[h]), passing[h], 1);
      passing[h] = __funnelshift_l(Scores::short_of(pair[1], bias.y, least[h]), passing[h], 1);
    }
  }
#pragma unroll
  for (unsigned h = 0; h < 2; ++h) passing[h] = ~passing[h];
}
#else
struct HalfScores;
struct IntegerScores;
#endif

}  // namespace proxel::cuda::wide
