#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_origin.h"
PROXEL_SCREEN_ORIGIN_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "workgroup.glsl"
#include "screen_bounds.glsl"

layout(push_constant, std430) uniform Push { ScreenOriginParameters p; };

shared float partial[WORKGROUP_SIZE];
shared uint largest_bits;
shared float frame_scale;
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Frame { float values[]; };

float sampled(uint i, uint dimension) {
  // i * count / samples without passing 32 bits.
  const uint row = i * (p.rows.count / p.samples) + i * (p.rows.count % p.samples) / p.samples;
  const float value = FloatsIn(tile_address(p.rows, row / tile_rows))
                          .values[dimension * p.rows.dimension_stride +
                                  (row % tile_rows) * p.rows.row_stride];
  return is_finite(value) ? value : 0.0;
}

// Samples that are asked for before the first is used; past the last, the last again.
const uint together = 8u;
float[together] several(uint first, uint step, uint dimension) {
  float values[together];
  [[unroll]] for (uint j = 0u; j < together; ++j)
    values[j] = sampled(min(first + j * step, p.samples - 1u), dimension);
  return values;
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  if (thread == 0u) largest_bits = 0u;
  // Neighbouring invocations take neighbouring dimensions; what is left of the
  // workgroup shares the samples of each.
  uint width = 1u;
  while (width < p.dimensions && width < WORKGROUP_SIZE) width *= 2u;
  const uint sharers = WORKGROUP_SIZE / width;
  const uint sharer = thread / width;
  Frame frame = Frame(p.frame);

  float largest = 0.0;
  for (uint first = 0u; first < p.dimensions; first += width) {
    const uint dimension = first + thread % width;
    const bool exists = dimension < p.dimensions;
    float sum = 0.0;
    if (exists && AT_ZERO == 0u)
      for (uint i = sharer; i < p.samples; i += together * sharers) {
        float values[together] = several(i, sharers, dimension);
        [[unroll]] for (uint j = 0u; j < together; ++j)
          if (i + j * sharers < p.samples) sum += values[j] / float(p.samples);
      }
    partial[thread] = sum;
    barrier();
    float origin = 0.0;
    for (uint i = 0u; i < sharers; ++i) origin += partial[thread % width + i * width];
    if (!(abs(origin) <= uintBitsToFloat((screen_farthest_origin + 127u) << 23))) origin = 0.0;
    if (exists) {
      if (sharer == 0u) frame.values[screen_frame_origin + dimension] = origin;
      for (uint i = sharer; i < p.samples; i += together * sharers) {
        float values[together] = several(i, sharers, dimension);
        [[unroll]] for (uint j = 0u; j < together; ++j)
          largest = max(largest, abs(values[j] - origin));
      }
    }
    barrier();
  }
  atomicMax(largest_bits, floatBitsToUint(largest));
  memoryBarrierBuffer();
  barrier();
  // Squared norms leave sums in half precision room.
  const int wanted = 5 - int(p.dimensions > screen_frame_most_at_32) - 2 * int(p.dimensions > screen_frame_most_at_16);
  if (thread < screen_frame_origin) {
    // The exponent that brings the largest to 2^wanted.
    const int exponent = clamp(wanted - (int(min(largest_bits, 0x7F000000u) >> 23) - 127), -60, 60);
    const float scale = largest_bits == 0u ? 1.0 : uintBitsToFloat(uint(exponent + 127) << 23);
    // Room for rows that lie farther out than the sample; 2^-100 at least.
    const float farthest = scale * uintBitsToFloat(min(largest_bits, 0x7F000000u));
    const float step = largest_bits == 0u ? 0.5 : max(1.25 / 127.0 * farthest, uintBitsToFloat(27u << 23));
    frame.values[thread] = thread == 0u ? scale : thread == screen_frame_step ? step : 0.0;
    if (thread == 0u) frame_scale = scale;
  }
  barrier();
  // Values of this magnitude and more are multiples already.
  const float units = frame_scale * uintBitsToFloat(uint(10 - wanted + 127) << 23);
  for (uint dimension = thread; dimension < p.dimensions; dimension += WORKGROUP_SIZE) {
    const float origin = frame.values[screen_frame_origin + dimension];
    const float multiple = origin * units;
    if (abs(multiple) < 8388608.0)
      frame.values[screen_frame_origin + dimension] = roundEven(multiple) / units;
  }
}
