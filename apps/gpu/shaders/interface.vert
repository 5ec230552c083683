#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
layout(location = 0) out vec4 color;
layout(location = 1) out vec2 place;

// Vertices are fetched by address: x, y, u, v, colour.
void main() {
  const uint index = p.first_index + uint(gl_VertexIndex);
  const uint pair = p.indices.values[index / 2u];
  const uint vertex = p.first_vertex + ((index & 1u) == 0u ? pair & 0xFFFFu : pair >> 16);
  const uint at = vertex * 5u;
  const vec2 position = vec2(uintBitsToFloat(p.vertices.values[at]), uintBitsToFloat(p.vertices.values[at + 1u]));
  place = vec2(uintBitsToFloat(p.vertices.values[at + 2u]), uintBitsToFloat(p.vertices.values[at + 3u]));
  color = unpackUnorm4x8(p.vertices.values[at + 4u]);
  gl_Position = vec4(position * p.scale - 1.0, 0.0, 1.0);
}
