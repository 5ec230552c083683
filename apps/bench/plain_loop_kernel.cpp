// Compiled with -O3 -ffast-math (see CMakeLists.txt), alone in its file so that
// nothing canonical is compiled that way.

#include "bench/plain_loop_kernel.hpp"

#include <cmath>

namespace proxel::tool {
namespace {

__attribute__((always_inline)) inline void loop(const float* rows, std::uint64_t first, std::uint64_t last,
                                                std::uint64_t dimensions, const float* query, std::uint64_t* index,
                                                float* distance) {
  float best = 3.4e38f;
  std::uint64_t best_row = first;
  for (std::uint64_t row = first; row < last; ++row) {
    const float* values = rows + row * dimensions;
    float sum = 0;
    for (std::uint64_t dimension = 0; dimension < dimensions; ++dimension)
      sum += std::fabs(query[dimension] - values[dimension]);
    if (sum < best) {
      best = sum;
      best_row = row;
    }
  }
  *index = best_row;
  *distance = best;
}

#if defined(__x86_64__)
// GCC keeps to 256 bits unless it is told; clang does not know the word.
#if defined(__clang__)
#define PROXEL_AVX512 "avx512f,avx512vl,avx512dq"
#else
#define PROXEL_AVX512 "avx512f,avx512vl,avx512dq,prefer-vector-width=512"
#endif
__attribute__((target(PROXEL_AVX512))) void loop_avx512(const float* rows, std::uint64_t first, std::uint64_t last,
                                                        std::uint64_t dimensions, const float* query,
                                                        std::uint64_t* index, float* distance) {
  loop(rows, first, last, dimensions, query, index, distance);
}

__attribute__((target("avx2,fma"))) void loop_avx2(const float* rows, std::uint64_t first, std::uint64_t last,
                                                   std::uint64_t dimensions, const float* query, std::uint64_t* index,
                                                   float* distance) {
  loop(rows, first, last, dimensions, query, index, distance);
}
#endif

}  // namespace

void plain_nearest(const float* rows, std::uint64_t first, std::uint64_t last, std::uint64_t dimensions,
                   const float* query, std::uint64_t* index, float* distance) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return loop_avx512(rows, first, last, dimensions, query, index, distance);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return loop_avx2(rows, first, last, dimensions, query, index, distance);
#endif
  loop(rows, first, last, dimensions, query, index, distance);
}

}  // namespace proxel::tool
