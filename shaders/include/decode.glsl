// Keys become what the caller sees; see proxel/passes/decode_keys.h.
#ifndef PROXEL_DECODE_GLSL
#define PROXEL_DECODE_GLSL
#include "order.glsl"
#include "proxel/passes/types.h"

// The correctly rounded square root of a value that is not negative, in
// integers: Vulkan's own may be several units in the last place off.
float rounded_root(float value) {
  const uint bits = floatBitsToUint(value);
  if (bits == 0u || bits >= 0x7F800000u) return value;
  uint mantissa = bits & 0x007FFFFFu;
  int exponent = int(bits >> 23) - 150;
  if (bits < 0x00800000u) {
    const int shift = 23 - findMSB(mantissa);
    mantissa <<= shift;
    exponent = -149 - shift;
  } else {
    mantissa |= 0x00800000u;
  }
  // value = square * 2^(exponent - shift) with square in [2^46, 2^48) and an
  // even power of two, so that the root has 24 bits.
  const uint shift = ((exponent & 1) == 0) ? 24u : 23u;
  const uvec2 square = uvec2(mantissa >> (32u - shift), mantissa << shift);  // high, low
  uint root = 0u;
  for (uint bit = 1u << 23; bit != 0u; bit >>= 1) {
    const uint trial = root | bit;
    uint high, low;
    umulExtended(trial, trial, high, low);
    if (high < square.x || (high == square.x && low <= square.y)) root = trial;
  }
  // Up when the rest exceeds the root: square > (root + 1/2)^2 has no tie.
  uint high, low, borrow;
  umulExtended(root, root, high, low);
  const uint rest = usubBorrow(square.y, low, borrow);
  const uint rest_high = square.x - high - borrow;
  if (rest_high != 0u || rest > root) ++root;
  const uint biased = uint((exponent - int(shift)) / 2 + 150);
  return uintBitsToFloat((biased << 23) + (root - 0x00800000u));
}

// The distance of a key, or of no row.
float decoded_distance(uvec2 key, bool largest_first, uint finish) {
  if (key == no_row)
    return uintBitsToFloat(largest_first && finish != finish_complement ? 0xFF800000u : 0x7F800000u);
  const float distance = distance_of_key(key.x, largest_first);
  if (finish == finish_root) return rounded_root(distance);
  // A NaN keeps its bits.
  if (finish != finish_complement || key.x == 0xFFFFFFFFu) return distance;
  precise float complement = 1.0 - distance;
  return complement;
}

#endif
