#pragma once

// Scores of integers in screen_wide.cuh, collected: sums begin at what a score lacks without its products, so that their signs say what
// is wanted. Up to 128 dimensions queries are in registers.

#include "kernels/screen_wide_operands.cuh"
#include "kernels/screen_wide_scores.cuh"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
template <typename Queries_>
struct IntegersFromBiases : IntegerScores {
  using Queries = Queries_;
  static constexpr bool begin_at_biases = true;

  template <typename Block>
  static __device__ __forceinline__ void multiply(Sums& sums, const Block& a, std::uint64_t b, unsigned step, int) {
    if constexpr (Queries::most_blocks == 0)
      hopper::multiply_64x128x32(sums, a + 2 * step, b + 2 * step, 1);
    else
      hopper::multiply_64x128x32(sums, a.steps[step], b + 2 * step, 1);
  }
  // Those of rows 16c + 2t, one more, and both 8 further are together, for c and t of number 4c + t.
  static __device__ __forceinline__ void arrange(const std::uint32_t (&biases)[tile_rows],
                                                 uint4 (&arranged)[tile_rows / 4], unsigned thread) {
    if (thread >= tile_rows / 4) return;
    const std::uint32_t* first = biases + 16 * (thread / 4) + 2 * (thread % 4);
    arranged[thread] = make_uint4(first[0], first[1], first[8], first[9]);
  }
  static __device__ __forceinline__ void begin(Sums& sums, const Asked& tile, const std::uint32_t (&asked)[2]) {
#pragma unroll
    for (unsigned c = 0; c < 8; ++c) {
      const uint4 four = tile.biases[4 * c + threadIdx.x % 4];
#pragma unroll
      for (unsigned h = 0; h < 2; ++h) {
        // At least -2^29 - 2^30: nothing overflows.
        int* of = sums + 8 * c + 2 * h;
        of[0] = static_cast<int>(four.x - asked[h]);
        of[1] = static_cast<int>(four.y - asked[h]);
        of[4] = static_cast<int>(four.z - asked[h]);
        of[5] = static_cast<int>(four.w - asked[h]);
      }
    }
  }
  static __device__ __forceinline__ void find_passing(const Sums& sums, const Margins&, const Beside&,
                                                      const std::uint32_t (&)[2], unsigned (&passing)[2]) {
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      unsigned short_of = 0;
#pragma unroll
      for (unsigned bit = 32; bit-- > 0;)
        short_of = __funnelshift_l(static_cast<unsigned>(sum(sums, h, Order::pair_of(bit), Order::member_of(bit))),
                                   short_of, 1);
      passing[h] = ~short_of;
    }
  }
};
#else
template <typename Queries>
struct IntegersFromBiases;
#endif

}  // namespace proxel::cuda::wide
