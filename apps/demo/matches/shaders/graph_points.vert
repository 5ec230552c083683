#version 460
#extension GL_GOOGLE_include_directive : require
#include "graph.glsl"
layout(location = 0) out vec4 color;
layout(location = 1) out vec2 offset;
layout(location = 2) flat out float limit;

// A disc for each point.
void main() {
  const vec4 at = place_of(uint(gl_VertexIndex) / 6u);
  limit = p.radius / at.w;
  offset = corner_of(uint(gl_VertexIndex)) * (limit + 1.0);
  gl_Position = vec4(at.xy + offset * p.pixel * at.w, at.zw);
  vec3 own = p.light == 1u ? vec3(0.08, 0.10, 0.16) : vec3(0.94, 0.96, 1.0);
  if (p.clusters != 0u) own = color_of(uint(gl_VertexIndex) / 6u);
  color = vec4(own, nearness(at.w));
}
