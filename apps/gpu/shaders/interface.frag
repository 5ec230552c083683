#version 460
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 place;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 drawn;

void main() { drawn = color * texture(picture, place); }
