#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/component_begin.h"

layout(push_constant, std430) uniform Push { ComponentBeginParameters p; };

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  UintsOut components = UintsOut(p.components);
  for (uint row = gl_GlobalInvocationID.x; row < p.rows; row += stride) components.values[row] = row;
  if (gl_GlobalInvocationID.x == 0u) UintsOut(p.count).values[0] = 0u;
}
