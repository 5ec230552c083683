#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/layout_step.h"
PROXEL_LAYOUT_STEP_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/arithmetic/layout_force.h"

layout(push_constant, std430) uniform Push { LayoutStepParameters p; };

// Coordinates that there are not are 0, which changes no sum.
vec3 position_of(uint vertex) {
  FloatsIn at = FloatsIn(advance_elements(p.from, vertex, DIMENSIONS));
  vec3 position = vec3(at.values[0], 0.0, 0.0);
  if (DIMENSIONS > 1u) position.y = at.values[1];
  if (DIMENSIONS > 2u) position.z = at.values[2];
  return position;
}

float square_of(vec3 difference) {
  precise float square = difference.x * difference.x;
  square = square + difference.y * difference.y;
  square = square + difference.z * difference.z;
  return square;
}

vec3 limited(vec3 difference, float weight) {
  precise vec3 one = difference * weight;
  return vec3(limited_force(one.x), limited_force(one.y), limited_force(one.z));
}

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint vertex = gl_GlobalInvocationID.x; vertex < p.rows; vertex += stride) {
    const vec3 own = position_of(vertex);
    precise vec3 force = vec3(0.0);
    UintsIn list = UintsIn(advance_elements(p.indices, vertex, p.neighbors));
    for (uint slot = 0u; slot < p.neighbors; ++slot) {
      const uint other = list.values[slot];
      if (other >= p.rows || other == vertex) continue;
      precise vec3 difference = position_of(min(other, p.rows - 1u)) - own;
      force = force + limited(difference, attraction_of(square_of(difference)));
    }
    for (uint draw = 0u; draw < p.draws; ++draw) {
      const uint other = drawn_vertex(vertex, p.step, draw, p.rows);
      if (other == vertex) continue;
      precise vec3 difference = own - position_of(other);
      force = force + limited(difference, repulsion_of(square_of(difference), p.repulsion));
    }
    precise vec3 moved = own + p.rate * force;
    FloatsOut to = FloatsOut(advance_elements(p.to, vertex, DIMENSIONS));
    to.values[0] = placed(moved.x);
    if (DIMENSIONS > 1u) to.values[1] = placed(moved.y);
    if (DIMENSIONS > 2u) to.values[2] = placed(moved.z);
  }
}
