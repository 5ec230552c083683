#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#include "proxel/passes/merge_answers.h"

layout(push_constant, std430) uniform Push { MergeAnswersParameters p; };

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint query = gl_GlobalInvocationID.x; query < p.queries; query += stride) {
    Keys nearest = Keys(advance_keys(p.nearest, query, p.kept));
    UintsIn indices = UintsIn(advance_elements(p.indices, query, p.columns));
    FloatsIn distances = FloatsIn(advance_elements(p.distances, query, p.columns));
    Keys merged = Keys(advance_keys(p.merged, query, p.k));
    uint taken = 0u, next = 0u;
    uvec2 last = no_row;
    for (uint rank = 0u; rank < p.k; ++rank) {
      // Places past the end are read at the last there is.
      const uvec2 last_kept = nearest.values[min(taken, max(p.kept, 1u) - 1u)].yx;
      const uvec2 kept = taken < p.kept ? last_kept : no_row;
      const uint place = min(next, p.columns - 1u);
      const uint index = indices.values[place];
      uvec2 added = uvec2(distance_key(distances.values[place], p.largest_first != 0u), p.first_index + index);
      if (next >= p.columns || index == no_row.y) added = no_row;
      const bool from_kept = !key_less(added, kept), from_found = !key_less(kept, added);
      last = from_kept ? kept : added;
      merged.values[rank] = last.yx;
      // A row that is in both lists is passed in both.
      if (from_kept) ++taken;
      if (from_found) ++next;
    }
    if (!is_null(p.bounds))
      FloatsOut(advance(p.bounds, query, 4u)).values[0] = distance_of_key(last.x, p.largest_first != 0u);
  }
}
