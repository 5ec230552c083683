#include "../../gpu/shaders/cluster_color.glsl"

// Push constants of the two passes that draw the scene (struct Drawing in scene.cpp).
layout(push_constant, std430) uniform Push {
  mat4 camera;
  Floats points;
  Uints indices;
  Floats distances;
  uvec2 clusters;  // address of the smallest point of each point's cluster; 0: there are none
  uint count;
  uint dimensions;
  uint found;      // neighbours per query, with the point itself
  float farthest;  // a distance that is drawn as far
  float scale;     // of positions
} p;

bool has_clusters() { return (p.clusters.x | p.clusters.y) != 0u; }
uint cluster_of(uint point) { return Uints(p.clusters).values[point]; }

// More than three dimensions fall onto three.
vec4 place_of(uint point) {
  vec3 place = vec3(0.0);
  for (uint i = 0u; i < p.dimensions; ++i)
    place[i % 3u] += p.points.values[point * p.dimensions + i] * (i < 3u ? 1.0 : 0.4);
  return p.camera * vec4(place * p.scale, 1.0);
}
