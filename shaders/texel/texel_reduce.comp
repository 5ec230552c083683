#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "order.glsl"
#include "texel.glsl"
#include "proxel/passes/texel_reduce.h"

layout(push_constant, std430) uniform Push { TexelReduceParameters p; };
layout(set = 0, binding = 0, rgba32ui) uniform coherent uimage2DArray candidates;

// Texel `at` becomes the smallest of the four that its quarter stands for.
void reduce(uvec2 at, uvec2 extent, uvec2 halved, uint query) {
  uvec2 smallest = no_row;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    const uvec2 from = at + halved * uvec2(i & 1u, i >> 1);
    if (from.x < extent.x && from.y < extent.y)
      smallest = key_min(smallest, imageLoad(candidates, ivec3(from, query)).xy);
  }
  imageStore(candidates, ivec3(at, query), uvec4(smallest, 0u, 0u));
}

void main() {
  const uint query = gl_WorkGroupID.z;
  uvec2 extent = uvec2(p.width, p.height);
  if (p.rounds == 1u) {
    const uvec2 halved = (extent + 1u) / 2u;
    const uvec2 at = texel_position();
    if (at.x < halved.x && at.y < halved.y) reduce(at, extent, halved, query);
    return;
  }
  for (uint round = 0u; round < p.rounds; ++round) {
    const uvec2 halved = (extent + 1u) / 2u;
    for (uint i = gl_LocalInvocationID.x; i < halved.x * halved.y; i += WORKGROUP_SIZE)
      reduce(uvec2(i % halved.x, i / halved.x), extent, halved, query);
    extent = halved;
    memoryBarrierImage();
    barrier();
  }
}
