#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
#include "drawing.glsl"
layout(location = 0) out vec4 color;

// A line per neighbour, red where it is near and blue where it is far.
void main() {
  const uint edge = uint(gl_VertexIndex) / 2u;
  const uint from = edge / p.found;
  const uint to = p.indices.values[edge];
  bool none = to == 0xFFFFFFFFu || to == from;
  // Between clusters there is nothing to be seen.
  if (!none && has_clusters()) none = cluster_of(from) != cluster_of(to);
  const uint end = (gl_VertexIndex & 1) == 0 ? from : to;
  const float far = clamp(sqrt(p.distances.values[edge]) / p.farthest, 0.0, 1.0);
  // A line without a length is not drawn.
  gl_Position = none ? vec4(2.0, 2.0, 2.0, 1.0) : place_of(end);
  color = vec4(mix(vec3(1.0, 0.45, 0.1), vec3(0.1, 0.4, 1.0), far), 0.5 - 0.4 * far);
  if (has_clusters()) color.rgb = cluster_color(cluster_of(from), false);
}
