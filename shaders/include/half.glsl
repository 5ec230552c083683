// binary16 as screened operands use it: no subnormal numbers, no infinities.
// In integers, because Vulkan leaves the rounding of packHalf2x16 open.
#ifndef PROXEL_HALF_GLSL
#define PROXEL_HALF_GLSL

const float largest_half = 65504.0;

// The value of the half nearest to a finite value, ties to even; +0 where that is subnormal, the largest of its sign where
// the value is beyond. packHalf2x16 makes its bits of it: what a half has exactly is not rounded.
float nearest_half(float value) {
  const uint bits = floatBitsToUint(value);
  const uint magnitude = bits & 0x7FFFFFFFu;
  // 2^-14 - 2^-25 is the least that rounds to the smallest normal half, 2^-14.
  if (magnitude < 0x387FE000u) return 0.0;
  const uint rounded = (magnitude + 0xFFFu + (magnitude >> 13 & 1u)) & 0xFFFFE000u;
  return uintBitsToFloat((bits & 0x80000000u) | clamp(rounded, 0x38800000u, 0x477FE000u));
}

#endif
