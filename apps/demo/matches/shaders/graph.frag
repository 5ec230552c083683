#version 460
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 offset;
layout(location = 2) flat in float limit;
layout(location = 0) out vec4 pixel;

// Smooth at its border.
void main() { pixel = vec4(color.rgb, color.a * clamp(limit + 0.5 - length(offset), 0.0, 1.0)); }
