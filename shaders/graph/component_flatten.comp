#version 460
#extension GL_GOOGLE_include_directive : require
#include "components.glsl"
#include "workgroup.glsl"
#include "proxel/passes/component_flatten.h"

layout(push_constant, std430) uniform Push { ComponentFlattenParameters p; };

shared uint roots;

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  Components components = Components(p.components);
  if (gl_LocalInvocationID.x == 0u) roots = 0u;
  barrier();
  for (uint row = gl_GlobalInvocationID.x; row < p.rows; row += stride) {
    const uint root = component_root(components, row);
    if (root == row)
      atomicAdd(roots, 1u);
    else
      components.values[row] = root;
  }
  barrier();
  if (gl_LocalInvocationID.x == 0u && roots != 0u) atomicAdd(Components(p.count).values[0], roots);
}
