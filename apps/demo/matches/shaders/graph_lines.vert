#version 460
#extension GL_GOOGLE_include_directive : require
#include "graph.glsl"
layout(location = 0) out vec4 color;
layout(location = 1) out vec2 offset;
layout(location = 2) flat out float limit;

// A line of one pixel per neighbour, not smooth: a third of a rectangle's vertices, each of which
// looks at one point.
void main() {
  const uint edge = uint(gl_VertexIndex) / 2u;
  const uint from = edge / p.found;
  const uint to = p.indices.values[edge];
  limit = 1.0;
  offset = vec2(0.0);
  color = vec4(0.0);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // not drawn
  const float strength = strength_of(edge, from, to);
  if (strength == 0.0) return;
  const vec4 at = place_of(gl_VertexIndex % 2 == 0 ? from : to);
  gl_Position = at;
  color = edge_color(edge, strength * min(1.0, 2.0 * p.half_width), at.w);
}
