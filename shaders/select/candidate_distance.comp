#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/candidate_distance.h"
PROXEL_CANDIDATE_DISTANCE_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"
#include "order.glsl"
#include "canonical_row.glsl"

layout(push_constant, std430) uniform Push { CandidateDistanceParameters p; };

void main() {
  FloatsIn query = FloatsIn(advance_elements(p.queries, gl_WorkGroupID.y, p.query_stride));
  UintsIn candidates = UintsIn(advance_elements(p.candidates, gl_WorkGroupID.y, p.candidate_stride));
  const uvec2 keys = advance_elements(p.keys, gl_WorkGroupID.y, p.keys_stride);
  for (uint i = gl_WorkGroupID.x * WORKGROUP_SIZE + gl_LocalInvocationID.x; i < p.count;
       i += gl_NumWorkGroups.x * WORKGROUP_SIZE) {
    const uint index = candidates.values[i];
    const uint row = index - p.first_index;
    if (index < p.first_index || row >= p.rows.count) continue;
    UintsOut(advance_elements(keys, i, 1u)).values[0] =
        sum_key(canonical_row(query, p.rows, row, p.dimensions));
  }
}
