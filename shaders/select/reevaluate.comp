#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/reevaluate.h"
PROXEL_REEVALUATE_CONSTANTS(PROXEL_SPECIALISED)
#include "after.glsl"
#include "canonical_row.glsl"

#include "block_select.glsl"

layout(push_constant, std430) uniform Push { ReevaluateParameters p; };

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint query_number = gl_WorkGroupID.x;
  FloatsIn query = FloatsIn(advance_elements(p.queries, query_number, p.query_stride));
  const uvec2 candidates = advance_elements(p.candidates, query_number, p.query_pitch);

  const bool continues = !is_null(p.after);
  const uvec2 after = key_after(p.after, query_number, p.after_stride, p.keys);

  select_begin(p.k);
  for (uint base = 0u; base < p.count; base += 4u * WORKGROUP_SIZE) {
    uvec2 keys[4];
    [[unroll]] for (uint j = 0u; j < 4u; ++j) {
      keys[j] = no_row;
      const uint i = base + j * WORKGROUP_SIZE + thread;
      if (i >= p.count) continue;
      const uint index = UintsIn(advance_elements(candidates, i, p.rank_pitch)).values[0];
      const uint row = index - p.first_index;
      if (index < p.first_index || row >= p.rows.count) continue;
      const uvec2 key =
          uvec2(sum_key(canonical_row(query, p.rows, row, p.dimensions)), index);
      if (!continues || key_less(after, key)) keys[j] = key;
    }
    select_offer(keys);
  }
  select_finish();
  Keys list = Keys(advance_keys(p.keys, query_number, p.keys_stride));
  for (uint i = thread; i < p.k; i += WORKGROUP_SIZE) list.values[i] = pool[i].yx;
}
