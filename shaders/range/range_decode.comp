#version 460
#extension GL_GOOGLE_include_directive : require
#include "decode.glsl"
#include "matches.glsl"
#include "workgroup.glsl"
#include "proxel/passes/range_decode.h"

layout(push_constant, std430) uniform Push { RangeDecodeParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint values[]; };

void main() {
  uvec2 first;
  const uint count = find_matches(p.offsets, gl_WorkGroupID.y, p.capacity, first);
  Words distances = Words(advance_number(p.distances, first));
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += stride)
    distances.values[i] = floatBitsToUint(decoded_distance(
        uvec2(distances.values[i], 0u), p.largest_first != 0u, p.finish));
}
