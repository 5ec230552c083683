#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "decode.glsl"
#include "workgroup.glsl"
#include "proxel/passes/decode_keys.h"

layout(push_constant, std430) uniform Push { DecodeKeysParameters p; };

void main() {
  Keys keys = Keys(p.keys);
  UintsOut indices = UintsOut(p.indices);
  FloatsOut distances = FloatsOut(p.distances);
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint i = gl_GlobalInvocationID.x; i < p.count; i += stride) {
    const uvec2 key = keys.values[i].yx;
    indices.values[i] = key.y;
    distances.values[i] = decoded_distance(key, p.largest_first != 0u, p.finish);
  }
}
