#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/texel_pack.h"

layout(push_constant, std430) uniform Push { TexelPackParameters p; };
layout(set = 0, binding = 0, rgba32f) uniform writeonly image2DArray coordinates;

void main() {
  const uint layer = gl_WorkGroupID.y;
  const uint first_texel = p.first_row / 4u;
  const uint last = first_texel + (p.source_rows - 1u) / 4u;
  const uint texels = (last / p.width + 1u) * p.width - first_texel;
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint i = gl_GlobalInvocationID.x; i < texels; i += stride) {
    FloatsIn source = FloatsIn(advance_elements(p.source, 4u * i, p.dimensions));
    vec4 texel = vec4(0.0);
    [[unroll]] for (uint channel = 0u; channel < 4u; ++channel)
      if (4u * i + channel < p.source_rows)
        texel[channel] = source.values[channel * p.dimensions + p.first_dimension + layer];
    const uint at = first_texel + i;
    imageStore(coordinates, ivec3(at % p.width, at / p.width, layer), texel);
  }
}
