// Push constants of what draws the interface (struct Drawing in paint.cpp).
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words { uint values[]; };
layout(push_constant, std430) uniform Push {
  Words vertices;
  Words indices;  // of 16 bits
  vec2 scale;     // from pixels to −1…1
  uint first_index;
  uint first_vertex;
} p;
