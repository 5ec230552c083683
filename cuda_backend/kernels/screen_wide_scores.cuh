#pragma once

// What scores of screen_wide.cuh are, as products leave them: of halves or of integers.

#include <cfloat>

#include "kernels/screen_wide_blocks.cuh"
#include "proxel/passes/screen_integers.h"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
constexpr float no_score = -__builtin_huge_valf();

// What scores are, as products leave them. A bias is added to each, which is kept in the same type.
struct HalfScores {
  using Type = float;
  static constexpr float nothing = no_score;

  static __device__ __forceinline__ void multiply(float (&sums)[64], std::uint64_t a, std::uint64_t b, int accumulate) {
    hopper::multiply_64x128x16(sums, a, b, accumulate);
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
struct IntegerScores {
  using Type = int;
  static constexpr int nothing = static_cast<int>(passes::screen_integer_nothing);

  static __device__ __forceinline__ void multiply(int (&sums)[64], std::uint64_t a, std::uint64_t b, int accumulate) {
    hopper::multiply_64x128x32(sums, a, b, accumulate);
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
#else
struct HalfScores;
struct IntegerScores;
#endif

}  // namespace proxel::cuda::wide
