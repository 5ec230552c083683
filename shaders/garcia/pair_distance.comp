#version 460
#extension GL_GOOGLE_include_directive : require
#include "row_distance.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#include "proxel/passes/pair_distance.h"

layout(push_constant, std430) uniform Push { PairDistanceParameters p; };

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  const uint count = p.row_count * p.query_count;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
    const uint row = i / p.query_count;
    const uint query = i % p.query_count;
    const float distance =
        row_distance(p.rows, p.first_row + row,
                     FloatsIn(advance_elements(p.queries, query, p.query_stride)), p.dimensions);
    UintsOut(advance_elements(p.keys, row, p.row_pitch)).values[query] =
        distance_key(distance, LARGEST_FIRST);
  }
}
