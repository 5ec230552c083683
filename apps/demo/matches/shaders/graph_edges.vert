#version 460
#extension GL_GOOGLE_include_directive : require
#include "graph.glsl"
layout(location = 0) out vec4 color;
layout(location = 1) out vec2 offset;
layout(location = 2) flat out float limit;

// A narrow rectangle per neighbour.
void main() {
  const uint edge = uint(gl_VertexIndex) / 6u;
  const uint from = edge / p.found;
  const uint to = p.indices.values[edge];
  limit = p.half_width;
  offset = vec2(0.0);
  color = vec4(0.0);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // not drawn
  const float strength = strength_of(edge, from, to);
  if (strength == 0.0) return;
  const vec2 corner = corner_of(uint(gl_VertexIndex));
  const vec4 begin = place_of(from), end = place_of(to);
  if (min(begin.w, end.w) <= 0.0) return;  // behind who looks
  const vec2 along = (end.xy / end.w - begin.xy / begin.w) / p.pixel;
  if (dot(along, along) == 0.0) return;
  const vec2 across = normalize(vec2(-along.y, along.x));
  const vec4 at = corner.x < 0.0 ? begin : end;
  offset = vec2(corner.y * (p.half_width + 1.0), 0.0);
  gl_Position = vec4(at.xy + across * offset.x * p.pixel * at.w, at.zw);
  color = edge_color(edge, strength, at.w);
}
