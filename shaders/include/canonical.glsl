// One step of the canonical evaluation: one rounding per operation, never
// contracted or reassociated. Included behind the pass's constant METRIC.
#ifndef PROXEL_CANONICAL_GLSL
#define PROXEL_CANONICAL_GLSL
#include "order.glsl"

const uint metric_l1 = 0u;
const uint metric_l2sq = 1u;
const uint metric_linf = 2u;
const uint metric_ip = 3u;
const bool LARGEST_FIRST = METRIC == metric_ip;

// linf compares magnitudes as integers: the order is that of the values, and a
// NaN, being the largest bit pattern, stays.
#define PROXEL_CANONICAL_STEP(type, uint_type, int_type)             \
  type canonical_step(type s, type q, type r) {                      \
    if (METRIC == metric_l1) {                                       \
      precise type difference = q - r;                               \
      precise type sum = s + abs(difference);                        \
      return sum;                                                    \
    }                                                                \
    if (METRIC == metric_l2sq) {                                     \
      precise type difference = q - r;                               \
      precise type square = difference * difference;                 \
      precise type sum = s + square;                                 \
      return sum;                                                    \
    }                                                                \
    if (METRIC == metric_linf) {                                     \
      precise type difference = q - r;                               \
      const uint_type magnitude = floatBitsToUint(difference) & uint_type(0x7FFFFFFFu); \
      return uintBitsToFloat(max(floatBitsToUint(s), magnitude));    \
    }                                                                \
    precise type product = q * r;                                    \
    precise type sum = s + product;                                  \
    return sum;                                                      \
  }                                                                  \
  type canonical_step_of(uint dimension, type s, type q, type r) {   \
    if (METRIC != metric_linf || dimension % 2u == 0u) return canonical_step(s, q, r); \
    precise type difference = q - r;                                 \
    const int_type magnitude = floatBitsToInt(difference) & int_type(0x7FFFFFFF); \
    return intBitsToFloat(max(floatBitsToInt(s), magnitude));        \
  }

// canonical_step_of() is canonical_step() for loops over dimensions that hold many sums
// at once. AMD's compilers join two maxima to one of three operands and keep the magnitudes of
// all sums until the next dimension's are there, for which there are no registers. Maxima of
// signed and of unsigned integers are not joined, and magnitudes are ordered alike as both.
PROXEL_CANONICAL_STEP(float, uint, int)
PROXEL_CANONICAL_STEP(vec2, uvec2, ivec2)
PROXEL_CANONICAL_STEP(vec4, uvec4, ivec4)

// The distance key of a sum of such steps. Those of all metrics but ip begin at +0 and add or keep magnitudes, so that only a NaN may have
// a sign. With distance_key() instead NVIDIA's compiler kept the sums of tile_distance in memory, and the pass took eight times as long.
uint sum_key(float sum) {
  if (LARGEST_FIRST) return distance_key(sum, true);
  const uint key = floatBitsToUint(sum) | 0x80000000u;
  return key > 0xFF800000u ? 0xFFFFFFFFu : key;
}

#endif
