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
  __device__ __forceinline__ void add(const std::uint32_t (&sums)[32], std::uint32_t biases, unsigned j, unsigned h,
                                      bool first, bool second) {
    std::uint32_t scores = add_halves(sums[2 * j + h], biases);
    if (!first) scores = (scores & 0xFFFF0000u) | 0xFC00u;
    if (!second) scores = (scores & 0xFFFFu) | 0xFC000000u;
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

  // A mask has rows 16k, two to a thread, those of 8 more, and so on for k = 0 to 7: lead is 16 * (j % 2) + 8i + j / 2.
  static __device__ __forceinline__ unsigned row_of(unsigned lead) {
    return 16 * (lead % 8) + 8 * (lead / 16) + 2 * (threadIdx.x % 4) + lead / 8 % 2;
  }
  static __device__ __forceinline__ float element(const Sums& sums, unsigned h, unsigned lead) {
    std::uint32_t left[8];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) left[k] = (lead & 16) != 0 ? sums[2 * (2 * k + 1) + h] : sums[2 * (2 * k) + h];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) left[k] = (lead & 1) != 0 ? left[2 * k + 1] : left[2 * k];
#pragma unroll
    for (unsigned k = 0; k < 2; ++k) left[k] = (lead & 2) != 0 ? left[2 * k + 1] : left[2 * k];
    return finite(half_of((lead & 4) != 0 ? left[1] : left[0], lead / 8 % 2));
  }
  static __device__ __forceinline__ unsigned mask_of(const unsigned (&words)[4]) {
    unsigned mask = 0;
#pragma unroll
    for (unsigned word = 0; word < 4; ++word) {
      // Of four pairs of rows, j = 4 * word and on, a bit each at 0, 8, 16 and 24: they go to 0, 16, 1 and 17.
      const auto placed = [](unsigned four) {
        return (four & 1u) | (four << 8 & 1u << 16) | (four >> 15 & 2u) | (four >> 7 & 2u << 16);
      };
      const unsigned pairs = words[word] >> 2 * (threadIdx.x % 4);
      mask |= (placed(pairs & 0x01010101u) | placed(pairs >> 1 & 0x01010101u) << 8) << 2 * word;
    }
    return __brev(mask);
  }
  // A sum plus a bias, in halves, less what is asked. Rounding the sum keeps its order, and a difference has the right sign. One that is
  // no number passes.
  static __device__ __forceinline__ void find_passing(const Sums& sums, const Margins&, const Beside& beside,
                                                      const std::uint32_t (&asked)[2], unsigned (&passing)[2]) {
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) passing[h] = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k)
#pragma unroll
      for (unsigned h = 0; h < 2; ++h) {
        std::uint32_t short_of[2];
#pragma unroll
        for (unsigned of = 0; of < 2; ++of) {
          const unsigned j = 2 * k + of;
          short_of[of] = add_halves(add_halves(sums[2 * j + h], beside.biases[j]), asked[h]);
        }
        // The signs of four, the first in the highest byte.
        std::uint32_t signs;
        asm("prmt.b32 %0, %1, %2, 0x9BDF;" : "=r"(signs) : "r"(short_of[0]), "r"(short_of[1]));
        passing[h] |= signs & 0x80808080u >> k;
      }
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) passing[h] = ~passing[h];
  }
};
#else
struct HalfSums;
#endif

}  // namespace proxel::cuda::wide
