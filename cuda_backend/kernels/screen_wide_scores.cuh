#pragma once

// What scores of screen_wide.cuh are, as products leave them: of halves or of integers.

#include <cfloat>

#include "kernels/screen_wide_operands.cuh"
#include "kernels/screen_wide_queries.cuh"
#include "proxel/passes/screen_integers.h"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
constexpr float no_score = -__builtin_huge_valf();

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

// The best score of those of a query that are taken.
template <typename Scores>
struct BestScore {
  typename Scores::Type best = Scores::nothing;
  // Takes the scores of pair j of rows, of those that are allowed.
  template <typename Rows>
  __device__ __forceinline__ void add(const typename Scores::Sums& sums, const Biases<Scores>& biases, unsigned h,
                                      unsigned j, const Rows& allowed) {
    if (allowed.row(h, j, 0)) best = Scores::larger(Scores::sum(sums, h, j, 0), biases.x, best);
    if (allowed.row(h, j, 1)) best = Scores::larger(Scores::sum(sums, h, j, 1), biases.y, best);
  }
  __device__ __forceinline__ float value() const { return Scores::value(best); }
};

// What the sums of a thread become, 64 of them: that of number 4j + 2h + i is of query 8h further than the thread's first and of row i of
// pair j.
template <typename Scores, typename Type_>
struct PlainSums {
  using Type = Type_;
  using Sums = Type[64];
  using Queries = SharedQueries;
  using Order = MaskOrder<false>;
  // What is read of a tile while its products run.
  struct Beside {
    __device__ __forceinline__ void read(const Asked&) {}
  };
  // Whether sums begin at a bias less what is asked, instead of at 0.
  static constexpr bool begin_at_biases = false;
  // What is made ready of a tile's biases, and for a sample, whose scores must not be above what they are: nothing here.
  static __device__ __forceinline__ void arrange(const std::uint32_t (&)[tile_rows], uint4 (&)[tile_rows / 4],
                                                 unsigned) {}
  static constexpr bool samples_arranged = false;
  static __device__ __forceinline__ void arrange_below(const std::uint32_t (&)[tile_rows], uint4 (&)[tile_rows / 4],
                                                       unsigned) {}

  using Best = BestScore<Scores>;
  static __device__ __forceinline__ Biases<Scores> biases(const Margins& margins, const Beside&, unsigned j) {
    return Biases<Scores>(margins.biases, j);
  }
  static __device__ __forceinline__ Type sum(const Sums& sums, unsigned h, unsigned j, unsigned i) {
    return sums[4 * j + 2 * h + i];
  }
  // That of a bit of a mask.
  static __device__ __forceinline__ Type element(const Sums& sums, unsigned h, unsigned bit) {
    Type all[32];
#pragma unroll
    for (unsigned i = 0; i < 32; ++i) all[i] = sum(sums, h, Order::pair_of(i), Order::member_of(i));
    return one_of<1, 2, 4, 8, 16>(all, bit);
  }
  // What scores of a query in a tile err by.
  static __device__ __forceinline__ float error(const float4& query, const float4& tile) {
    return error_of(query, tile);
  }
  // Whether scores can be compared with what is asked.
  static __device__ __forceinline__ bool can_ask(std::uint32_t) { return true; }
};

// What scores are, as products leave them. A bias is added to each, which is kept in the same type.
struct HalfScores : PlainSums<HalfScores, float> {
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
  // The least score of what a query wants: never that of rows that are not screened, and out of reach where nothing is wanted,
  // whatever the error.
  static __device__ __forceinline__ float least(float threshold, float error) {
    return threshold == -no_score ? -no_score : fmaxf(threshold - error, -FLT_MAX);
  }
  static __device__ __forceinline__ std::uint32_t asked(float threshold, float error) {
    return __float_as_uint(least(threshold, error));
  }
  static constexpr std::uint32_t unreachable = 0x7F800000u;
  // Has its highest bit set where a score is less than `least`: a difference of two numbers is 0 only where they are equal. (That -0 is
  // less than 0 here is covered by what a threshold is lowered by.)
  static __device__ __forceinline__ unsigned short_of(float sum, float bias, float least) {
    return __float_as_uint(__fsub_rn(__fadd_rn(sum, bias), least));
  }
  static __device__ __forceinline__ void find_passing(const Sums& sums, const Margins& margins, const Beside&,
                                                      const std::uint32_t (&asked)[2], unsigned (&passing)[2]);
};
struct IntegerScores : PlainSums<IntegerScores, int> {
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
  static __device__ __forceinline__ std::uint32_t asked(float threshold, float error) {
    if (threshold == -no_score) return unreachable;
    return static_cast<std::uint32_t>(min(max(__float2int_ru(threshold - error), nothing / 2 + 1), unreachable));
  }
  // Beyond every score, and so little that a difference does not overflow.
  static constexpr int unreachable = 1 << 30;
};

// Masks of the sums that are at least what their query asks, or more.
__device__ __forceinline__ void HalfScores::find_passing(const Sums& sums, const Margins& margins, const Beside&,
                                                         const std::uint32_t (&asked)[2], unsigned (&passing)[2]) {
  passing[0] = passing[1] = 0;
  // Each shifts those before it further.
#pragma unroll
  for (unsigned bit = 32; bit-- > 0;) {
    const Biases<HalfScores> bias(margins.biases, Order::pair_of(bit));
#pragma unroll
    for (unsigned h = 0; h < 2; ++h)
      passing[h] = __funnelshift_l(short_of(sum(sums, h, Order::pair_of(bit), Order::member_of(bit)),
                                            Order::member_of(bit) == 0 ? bias.x : bias.y, of_bits(asked[h])),
                                   passing[h], 1);
  }
#pragma unroll
  for (unsigned h = 0; h < 2; ++h) passing[h] = ~passing[h];
}
#else
struct HalfScores;
struct IntegerScores;
#endif

}  // namespace proxel::cuda::wide
