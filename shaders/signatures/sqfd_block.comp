#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/sqfd_block.h"

layout(push_constant, std430) uniform Push { SqfdBlockParameters p; };

#define REAL float

float scale_of() { return uintBitsToFloat(p.scale); }

#define STEP(coefficient) sum = sum * t + coefficient;
float negative_power(float y) {
  const float to_whole = 12582912.0;  // 1.5 * 2^23
  const float bounded = min(y, float(sqfd_largest_power));
  precise float shifted = bounded + to_whole;
  precise float whole = shifted - to_whole;
  precise float t = bounded - whole;
  precise float sum = 0.0;
  PROXEL_SQFD_SINGLE(STEP)
  const uint exponent = 127u - (floatBitsToUint(shifted) - floatBitsToUint(to_whole));
  precise float power = sum * uintBitsToFloat(exponent << 23);
  return y > float(sqfd_largest_power) ? 0.0 : power;
}

#include "sqfd_block.glsl"
