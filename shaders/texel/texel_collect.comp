#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#include "proxel/passes/texel_collect.h"

layout(push_constant, std430) uniform Push { TexelCollectParameters p; };
layout(set = 0, binding = 0, rgba32ui) uniform readonly uimage2DArray candidates;

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint query = gl_GlobalInvocationID.x; query < p.queries; query += stride) {
    Keys keys = Keys(advance_keys(p.keys, query, p.keys_stride));
    uvec2 key = imageLoad(candidates, ivec3(0, 0, query)).xy;
    if (p.first_block == 0u) key = key_min(key, keys.values[0].yx);
    keys.values[0] = key.yx;
  }
}
