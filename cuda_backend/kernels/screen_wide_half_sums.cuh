#pragma once

// Scores of screen_wide.cuh with sums in half precision: half as many registers, which queries have instead, and two scores are
// looked at together (docs/proofs/screened.md, "Sums in half precision").

#include <cuda_fp16.h>

#include "kernels/screen_wide_scores.cuh"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
__device__ __forceinline__ float half_of(std::uint32_t two, unsigned i) {
  return __half2float(__ushort_as_half(static_cast<unsigned short>(i == 0 ? two & 0xFFFFu : two >> 16)));
}
__device__ __forceinline__ std::uint32_t add_halves(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}

// The lower bound of the best of those scores of a query that are taken, in halves: biases are not above what they are.
struct BestHalfSum {
  std::uint32_t best = 0xFC00FC00u;  // of two rows each, -infinity at first
  template <typename Rows>
  __device__ __forceinline__ void add(const std::uint32_t (&sums)[32], std::uint32_t biases, unsigned h, unsigned j,
                                      const Rows& allowed) {
    const std::uint32_t taken = allowed.halves(h, j);
    const std::uint32_t scores = (add_halves(sums[2 * j + h], biases) & taken) | (0xFC00FC00u & ~taken);
    // The maximum of a number and of one that is none is the number.
    asm("max.f16x2 %0, %0, %1;" : "+r"(best) : "r"(scores));
  }
  // Less what adding a bias may have rounded up.
  __device__ __forceinline__ float value() const {
    const float larger = fmaxf(half_of(best, 0), half_of(best, 1));
    return isfinite(larger) ? larger - fabsf(larger) * 0x1.01p-11f : no_score;
  }
};

// A sum plus its bias in binary32 is a score.
struct HalfSums : HalfScores {
  using Sums = std::uint32_t[32];
  using Order = MaskOrder<true>;
  using Queries = RegisterQueries<passes::screen_most_half_sum_steps / 4>;
  struct Beside {
    std::uint32_t biases[16];  // of rows 8j + 2 * (lane % 4) and one more, in halves
    __device__ __forceinline__ void read(const Asked& tile) {
#pragma unroll
      for (unsigned c = 0; c < 4; ++c) {
        const uint4 four = tile.biases[4 * c + threadIdx.x % 4];
        biases[4 * c] = four.x;
        biases[4 * c + 1] = four.y;
        biases[4 * c + 2] = four.z;
        biases[4 * c + 3] = four.w;
      }
    }
  };
  using Best = BestHalfSum;
  static __device__ __forceinline__ std::uint32_t biases(const Margins&, const Beside& beside, unsigned j) {
    return beside.biases[j];
  }
  // Those of rows 8j + 2t and one more are word j % 4 of number 4 * (j / 4) + t: the two of word `thread` of all.
  static __device__ __forceinline__ const std::uint32_t* arranged_from(const std::uint32_t (&biases)[tile_rows],
                                                                       unsigned thread) {
    return biases + 8 * (thread / 16 * 4 + thread % 4) + 2 * (thread / 4 % 4);
  }
  // Biases are not above 0, so that cutting them off makes them larger.
  static __device__ __forceinline__ void arrange(const std::uint32_t (&biases)[tile_rows],
                                                 uint4 (&arranged)[tile_rows / 4], unsigned thread) {
    if (thread >= tile_rows / 2) return;
    const std::uint32_t* two = arranged_from(biases, thread);
    asm("cvt.rz.f16x2.f32 %0, %1, %2;"
        : "=r"(reinterpret_cast<std::uint32_t*>(arranged)[thread])
        : "f"(of_bits(two[1])), "f"(of_bits(two[0])));
  }
  static constexpr bool samples_arranged = true;
  static __device__ __forceinline__ void arrange_below(const std::uint32_t (&biases)[tile_rows],
                                                       uint4 (&arranged)[tile_rows / 4], unsigned thread) {
    if (thread >= tile_rows / 2) return;
    const std::uint32_t* two = arranged_from(biases, thread);
    reinterpret_cast<std::uint32_t*>(arranged)[thread] =
        __half_as_ushort(__float2half_rd(of_bits(two[0]))) | __half_as_ushort(__float2half_rd(of_bits(two[1]))) << 16;
  }

  static __device__ __forceinline__ void multiply(Sums& sums, const Queries::Block& a, std::uint64_t b, unsigned step,
                                                  int accumulate) {
    hopper::multiply_64x128x16(sums, a.steps[step], b + 2 * step, accumulate);
  }
  static __device__ __forceinline__ float error(const float4& query, const float4& tile) {
    // Sums might overflow.
    const bool may_overflow = !(query.x * tile.y < static_cast<float>(passes::screen_half_sum_limit));
    return may_overflow ? __builtin_huge_valf() : error_of(query, tile);
  }
  // In halves, twice, rounded down, and with the other sign, as it is added: infinity where it is less than halves are.
  static __device__ __forceinline__ std::uint32_t asked(float threshold, float error) {
    const unsigned half = __half_as_ushort(__float2half_rd(least(threshold, error))) ^ 0x8000u;
    return half << 16 | half;
  }
  static constexpr std::uint32_t unreachable = 0xFC00FC00u;
  static __device__ __forceinline__ bool can_ask(std::uint32_t asked) { return asked != 0x7C007C00u; }
  // Where a sum may have overflowed its error is infinite, so that any number will do.
  static __device__ __forceinline__ float finite(float sum) { return isfinite(sum) ? sum : 0.0f; }

  static __device__ __forceinline__ float element(const Sums& sums, unsigned h, unsigned bit) {
    // Both rows of a pair are in one, so that nothing is chosen by that bit.
    static_assert(Order::bit_of(0, 1) == 8);
    std::uint32_t all[16];
#pragma unroll
    for (unsigned i = 0; i < 16; ++i) all[i] = sums[2 * Order::pair_of(i % 8 + i / 8 * 16) + h];
    return finite(half_of(one_of<1, 2, 4, 16>(all, bit), Order::member_of(bit)));
  }
  // A sum plus a bias, in halves, less what is asked. Rounding the sum keeps its order, and a difference has the right sign. One that is
  // no number passes.
  static __device__ __forceinline__ void find_passing(const Sums& sums, const Margins&, const Beside& beside,
                                                      const std::uint32_t (&asked)[2], unsigned (&passing)[2]) {
    passing[0] = passing[1] = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k)
#pragma unroll
      for (unsigned h = 0; h < 2; ++h) {
        std::uint32_t short_of[2];
#pragma unroll
        for (unsigned of = 0; of < 2; ++of) {
          const unsigned j = Order::pair_of(16 * of + k);
          short_of[of] = add_halves(add_halves(sums[2 * j + h], beside.biases[j]), asked[h]);
        }
        // The signs of four, a byte each, in the order of their bits.
        std::uint32_t signs;
        asm("prmt.b32 %0, %1, %2, 0xFDB9;" : "=r"(signs) : "r"(short_of[0]), "r"(short_of[1]));
        passing[h] |= signs & 0x01010101u << k;
      }
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) passing[h] = ~passing[h];
  }
};
#else
struct HalfSums;
#endif

}  // namespace proxel::cuda::wide
