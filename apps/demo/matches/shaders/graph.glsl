// Push constants of the passes that draw the graph (struct Drawing in graph_picture.cpp), and
// what they share.
#extension GL_EXT_buffer_reference : require
#include "../../../gpu/shaders/cluster_color.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Floats { float values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Uints { uint values[]; };

layout(push_constant, std430) uniform Push {
  mat4 camera;
  Floats points;
  Uints indices;
  Floats distances;
  uint dimensions;
  uint found;         // neighbours per point, with the point itself
  uint light;         // 1: on a light background
  float farthest;     // a squared distance that is drawn as far
  vec2 pixel;         // width and height of one, where the picture is 2
  float half_width;   // of an edge, pixels
  float radius;       // of a point, pixels
  float opacity;      // of an edge
  uint clusters;      // where the points' clusters stand among the indices; 0: there are none
} p;

vec4 place_of(uint point) {
  vec3 place = vec3(0.0);
  for (uint i = 0u; i < p.dimensions; ++i) place[i] = p.points.values[point * p.dimensions + i];
  return p.camera * vec4(place, 1.0);
}

// The corners of two triangles that make a rectangle, -1 or 1 in both.
vec2 corner_of(uint vertex) {
  const uint corner = vertex % 6u;
  return vec2(corner == 1u || corner == 2u || corner == 4u ? 1.0 : -1.0, corner == 2u || corner >= 4u ? 1.0 : -1.0);
}

// What is farther away is fainter; in the plane everything is at 1.
float nearness(float w) { return clamp(1.9 - 0.9 * w, 0.15, 1.0); }

// Whether a point is among the neighbours of another, at that distance: lists are the first by
// (distance, index), and a distance is the same to the bit from either end.
bool in_list(uint point, float distance, uint of) {
  const uint last = of * p.found + p.found - 1u;
  const float farthest = p.distances.values[last];
  return distance < farthest || (distance == farthest && point <= p.indices.values[last]);
}

uint cluster_of(uint point) { return p.indices.values[p.clusters + point]; }

vec3 color_of(uint point) { return cluster_color(cluster_of(point), p.light == 1u); }

// How strongly an edge is drawn; 0: not at all. Of two points that are neighbours of each other the
// smaller draws the edge, as strongly as two would be.
float strength_of(uint edge, uint from, uint to) {
  if (to == 0xFFFFFFFFu || to == from) return 0.0;
  // Between clusters there is nothing to be seen.
  if (p.clusters != 0u && cluster_of(from) != cluster_of(to)) return 0.0;
  if (!in_list(from, p.distances.values[edge], to)) return p.opacity;
  return from < to ? p.opacity * (2.0 - p.opacity) : 0.0;
}

// An edge is warm where it is near and cold where it is far.
vec4 edge_color(uint edge, float strength, float w) {
  if (p.clusters != 0u)
    return vec4(color_of(edge / p.found), 0.7 * strength * nearness(w));
  const float far = clamp(sqrt(p.distances.values[edge] / p.farthest), 0.0, 1.0);
  const vec3 warm = p.light == 1u ? vec3(0.85, 0.30, 0.02) : vec3(1.0, 0.55, 0.15);
  const vec3 cold = p.light == 1u ? vec3(0.10, 0.30, 0.80) : vec3(0.20, 0.50, 1.0);
  return vec4(mix(warm, cold, far), strength * (1.0 - 0.6 * far) * nearness(w));
}
