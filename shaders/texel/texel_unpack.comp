#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "texel.glsl"
#include "proxel/passes/texel_unpack.h"

layout(push_constant, std430) uniform Push { TexelUnpackParameters p; };
layout(set = 0, binding = 0, rgba32f) uniform readonly image2DArray values;
layout(set = 1, binding = 0, rgba32ui) uniform readonly uimage2DArray candidates;

void main() {
  const uvec2 at = texel_position();
  if (at.x >= p.width || at.y >= p.height) return;
  const uint layer = gl_WorkGroupID.z;
  const uint layer_words = 4u * p.width * p.height;
  const uint texel = at.y * p.width + at.x;
  if (!is_null(p.values))
    Uint4sOut(advance_elements(p.values, layer, layer_words)).values[texel] =
        floatBitsToUint(imageLoad(values, ivec3(at, layer)));
  if (!is_null(p.candidates))
    Uint4sOut(advance_elements(p.candidates, layer, layer_words)).values[texel] =
        imageLoad(candidates, ivec3(at, layer));
}
