#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/merge_undecided.h"
PROXEL_MERGE_UNDECIDED_CONSTANTS(PROXEL_SPECIALISED)
#include "undecided.glsl"

#include "merge.glsl"
#include "decode.glsl"

layout(push_constant, std430) uniform Push { MergeUndecidedParameters p; };

void main() {
  const UndecidedQueries undecided = undecided_of(p.undecided, p.few, p.most_few, p.first_undecided, p.lists);
  const uint count = undecided.count;
  const uint groups = lists_of_each(count, p.lists, p.most_groups);
  for (uint j = gl_WorkGroupID.x; j < count; j += gl_NumWorkGroups.x) {
    merge_lists(p.found, j * groups, groups, p.k);
    const uint query = undecided_query(undecided, j);
    if (!is_null(p.after) && gl_LocalInvocationID.x == 0u) Keys(p.after).values[j] = pool[p.k - 1u].yx;
    UintsOut indices = UintsOut(advance(advance_elements(p.indices, query, p.result_stride), p.first_rank, 4u));
    FloatsOut distances = FloatsOut(advance(advance_elements(p.distances, query, p.result_stride), p.first_rank, 4u));
    for (uint i = gl_LocalInvocationID.x; i < p.k; i += WORKGROUP_SIZE) {
      indices.values[i] = pool[i].y;
      distances.values[i] = decoded_distance(pool[i], p.largest_first != 0u, p.finish);
    }
    barrier();
  }
}
