#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/pair_distance.h"
PROXEL_PAIR_DISTANCE_CONSTANTS(PROXEL_SPECIALISED)
#include "row_distance.glsl"
#include "order.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { PairDistanceParameters p; };

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  const uint pairs = pair_rows * pair_queries;
  const uint across = (p.query_count - 1u) / pair_queries + 1u;
  const uint down = (p.row_count - 1u) / pair_rows + 1u;
  for (uint i = gl_GlobalInvocationID.x; i < down * across * pairs; i += stride) {
    const uint block = i / pairs;
    const uint pair = i % pairs;
    const uint row = block / across * pair_rows + pair % pair_rows;
    const uint query = block % across * pair_queries + pair / pair_rows;
    if (row >= p.row_count || query >= p.query_count) continue;
    const float distance =
        row_distance(p.rows, p.first_row + row,
                     FloatsIn(advance_elements(p.queries, query, p.query_stride)), p.dimensions);
    UintsOut(advance_elements(p.keys, row, p.row_pitch)).values[query] =
        sum_key(distance);
  }
}
