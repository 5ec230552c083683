#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "proxel/passes/texel_reduce.h"
PROXEL_TEXEL_REDUCE_CONSTANTS(PROXEL_SPECIALISED)
#include "order.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { TexelReduceParameters p; };
layout(set = 0, binding = 0, rgba32ui) uniform uimage2DArray candidates;

// Texels that are asked for before the first is looked at.
const uint together = 8u;
shared uvec2 partial[WORKGROUP_SIZE];

void main() {
  const uint query = gl_WorkGroupID.z;
  uvec2 left = uvec2(p.width, p.height);
  for (uint round = 0u; round < p.rounds; ++round) left = (left + 1u) / 2u;
  const uvec2 sources = (uvec2(p.width, p.height) - 1u) / left + 1u;

  // Neighbouring invocations take neighbouring outputs, and so neighbouring texels.
  const uint outputs = WORKGROUP_SIZE / SHARERS;
  const uint sharer = gl_LocalInvocationID.x / outputs;
  const uint index = gl_WorkGroupID.x * outputs + gl_LocalInvocationID.x % outputs;
  const uvec2 at = uvec2(index % left.x, index / left.x);
  uvec2 smallest = no_row;
  if (at.y < left.y) {
    for (uint row = sharer; row < sources.y; row += SHARERS)
      for (uint first = 0u; first < sources.x; first += together) {
        uvec2 keys[together];
        [[unroll]] for (uint i = 0u; i < together; ++i) {
          const uvec2 from = at + left * uvec2(first + i, row);
          keys[i] = from.x < p.width && from.y < p.height
                        ? imageLoad(candidates, ivec3(from, query)).xy
                        : no_row;
        }
        [[unroll]] for (uint i = 0u; i < together; ++i) smallest = key_min(smallest, keys[i]);
      }
  }
  partial[gl_LocalInvocationID.x] = smallest;
  barrier();
  for (uint step = SHARERS / 2u; step != 0u; step /= 2u) {
    if (sharer < step)
      partial[gl_LocalInvocationID.x] = key_min(
          partial[gl_LocalInvocationID.x], partial[gl_LocalInvocationID.x + step * outputs]);
    barrier();
  }
  if (sharer == 0u && at.y < left.y)
    imageStore(candidates, ivec3(at, query), uvec4(partial[gl_LocalInvocationID.x], 0u, 0u));
}
