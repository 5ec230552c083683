#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
#include "drawing.glsl"
layout(location = 0) out vec4 color;

void main() {
  gl_Position = place_of(uint(gl_VertexIndex));
  gl_PointSize = 1.0;
  color = vec4(1.0, 1.0, 1.0, 0.9);
  if (has_clusters()) color.rgb = cluster_color(cluster_of(uint(gl_VertexIndex)), false);
}
