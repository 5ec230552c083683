#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/texel_accumulate.h"
PROXEL_TEXEL_ACCUMULATE_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "canonical.glsl"
#include "texel.glsl"

layout(push_constant, std430) uniform Push { TexelAccumulateParameters p; };
layout(set = 0, binding = 0, rgba32f) uniform readonly image2DArray coordinates;
layout(set = 1, binding = 0, rgba32f) uniform image2DArray accumulated;

void main() {
  const uvec2 at = texel_position();
  if (at.x >= p.width || at.y >= p.height) return;
  const uint query_index = gl_WorkGroupID.z;
  FloatsIn query = FloatsIn(advance_elements(p.queries, query_index, p.dimensions));
  const ivec3 result = ivec3(at, query_index);

  vec4 r[16];
  [[unroll]] for (uint i = 0u; i < 16u; ++i)
    if (i < DIMENSIONS_PER_PASS) r[i] = imageLoad(coordinates, ivec3(at, p.first_layer + i));
  vec4 s = vec4(0.0);
  if (p.first == 0u) s = imageLoad(accumulated, result);
  [[unroll]] for (uint i = 0u; i < 16u; ++i)
    if (i < DIMENSIONS_PER_PASS)
      s = canonical_step(s, vec4(query.values[p.first_dimension + i]), r[i]);
  imageStore(accumulated, result, s);
}
