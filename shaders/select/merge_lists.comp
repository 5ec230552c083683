#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/merge_lists.h"
PROXEL_MERGE_LISTS_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"

#include "merge.glsl"

layout(push_constant, std430) uniform Push { MergeListsParameters p; };

void main() {
  const uint query = gl_WorkGroupID.x;
  merge_lists(p.lists, query * p.list_count, p.list_count, p.k);
  Keys merged = Keys(advance_keys(p.merged, query, p.merged_stride));
  for (uint i = gl_LocalInvocationID.x; i < p.k; i += WORKGROUP_SIZE)
    merged.values[i] = pool[i].yx;
}
