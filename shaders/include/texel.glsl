// A workgroup covers a rectangle of texels, texel_group_width wide.
#ifndef PROXEL_TEXEL_GLSL
#define PROXEL_TEXEL_GLSL
#include "proxel/passes/texel_accumulate.h"
#include "workgroup.glsl"

uvec2 texel_position() {
  const uint thread = gl_LocalInvocationID.x;
  return uvec2(gl_WorkGroupID.x * texel_group_width + thread % texel_group_width,
               gl_WorkGroupID.y * (WORKGROUP_SIZE / texel_group_width) +
                   thread / texel_group_width);
}

#endif
