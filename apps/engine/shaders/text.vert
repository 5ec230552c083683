#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
// Quads as stb_easy_font makes them: four corners of x, y, z and a colour each.
layout(push_constant, std430) uniform Push {
  Floats corners;
  vec2 screen;
} p;
layout(location = 0) out vec4 color;
const uint order[6] = uint[6](0u, 1u, 2u, 0u, 2u, 3u);

void main() {
  const uint corner = uint(gl_VertexIndex) / 6u * 4u + order[uint(gl_VertexIndex) % 6u];
  const vec2 place = vec2(p.corners.values[corner * 4u], p.corners.values[corner * 4u + 1u]);
  gl_Position = vec4(2.0 * place / p.screen - 1.0, 0.0, 1.0);
  color = unpackUnorm4x8(floatBitsToUint(p.corners.values[corner * 4u + 3u]));
}
