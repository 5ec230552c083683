// One step of the canonical evaluation: one rounding per operation, never
// contracted or reassociated. METRIC is the pass's specialisation constant 1.
#ifndef PROXEL_CANONICAL_GLSL
#define PROXEL_CANONICAL_GLSL

layout(constant_id = 1) const uint METRIC = 0u;
const uint metric_l1 = 0u;
const uint metric_l2sq = 1u;
const uint metric_linf = 2u;
const uint metric_ip = 3u;
const bool LARGEST_FIRST = METRIC == metric_ip;

// linf compares magnitudes as integers: the order is that of the values, and a
// NaN, being the largest bit pattern, stays.
#define PROXEL_CANONICAL_STEP(type, uint_type, as_uint, as_float)   \
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
      const uint_type magnitude = as_uint(difference) & uint_type(0x7FFFFFFFu); \
      return as_float(max(as_uint(s), magnitude));                   \
    }                                                                \
    precise type product = q * r;                                    \
    precise type sum = s + product;                                  \
    return sum;                                                      \
  }

PROXEL_CANONICAL_STEP(float, uint, floatBitsToUint, uintBitsToFloat)
PROXEL_CANONICAL_STEP(vec2, uvec2, floatBitsToUint, uintBitsToFloat)
PROXEL_CANONICAL_STEP(vec4, uvec4, floatBitsToUint, uintBitsToFloat)

#endif
