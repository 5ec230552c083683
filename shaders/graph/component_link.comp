#version 460
#extension GL_GOOGLE_include_directive : require
#include "components.glsl"
#include "workgroup.glsl"
#include "proxel/passes/component_link.h"

layout(push_constant, std430) uniform Push { ComponentLinkParameters p; };

bool within(float distance) {
  return p.largest_first != 0u ? distance >= p.limit : distance <= p.limit;
}

// Whether a row is among the neighbours of another.
bool has(uint row, uint other) {
  UintsIn indices = UintsIn(advance_elements(p.indices, row, p.neighbors));
  for (uint slot = 0u; slot < p.neighbors; ++slot)
    if (indices.values[slot] == other) return true;
  return false;
}

void join(Components components, uint one, uint other) {
  one = component_root(components, one);
  other = component_root(components, other);
  while (one != other) {
    const uint larger = max(one, other);
    const uint smaller = min(one, other);
    const uint before = atomicCompSwap(components.values[larger], larger, smaller);
    if (before == larger) return;
    // Somebody else has hung it elsewhere.
    one = component_root(components, before);
    other = component_root(components, smaller);
  }
}

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  Components components = Components(p.components);
  const bool limited = !is_null(p.distances);
  for (uint row = gl_GlobalInvocationID.x; row < p.rows; row += stride) {
    UintsIn indices = UintsIn(advance_elements(p.indices, row, p.neighbors));
    FloatsIn distances =
        FloatsIn(advance_elements(readable(limited, p.distances, p.indices), row, p.neighbors));
    for (uint slot = 0u; slot < p.neighbors; ++slot) {
      const uint other = indices.values[slot];
      const float distance = distances.values[slot];
      if (other >= p.rows || other == row || (limited && !within(distance))) continue;
      if (p.mutual != 0u && !has(other, row)) continue;
      join(components, row, other);
    }
  }
}
