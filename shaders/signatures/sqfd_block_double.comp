#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/sqfd_block_double.h"

layout(push_constant, std430) uniform Push { SqfdBlockParameters p; };

#define REAL double

double scale_of() { return packDouble2x32(p.scale_double); }

#define STEP(high, low) sum = sum * t + packDouble2x32(uvec2(low, high));
double negative_power(double y) {
  const double to_whole = 6755399441055744.0lf;  // 1.5 * 2^52
  const double bounded = y > double(sqfd_largest_power) ? double(sqfd_largest_power) : y;
  precise double shifted = bounded + to_whole;
  precise double whole = shifted - to_whole;
  precise double t = bounded - whole;
  precise double sum = 0.0lf;
  PROXEL_SQFD_DOUBLE(STEP)
  // The low word alone changes: whole numbers are at most 60.
  const uint exponent = 1023u - unpackDouble2x32(shifted).x;
  precise double power = sum * packDouble2x32(uvec2(0u, exponent << 20));
  return y > double(sqfd_largest_power) ? 0.0lf : power;
}

#include "sqfd_block.glsl"
