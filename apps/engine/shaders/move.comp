#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
// Points drift, and come back where they would leave the cube [-1, 1]^d.
layout(local_size_x = 64) in;
layout(push_constant, std430) uniform Push {
  Floats points;
  Floats velocities;
  uint values;
  float seconds;
} p;

void main() {
  const uint i = gl_WorkGroupID.x * 64u + gl_LocalInvocationID.x;
  if (i >= p.values) return;
  float place = p.points.values[i] + p.velocities.values[i] * p.seconds;
  if (abs(place) > 1.0) {
    p.velocities.values[i] = -p.velocities.values[i];
    place = clamp(place, -1.0, 1.0);
  }
  p.points.values[i] = place;
}
