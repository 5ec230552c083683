#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/scan_undecided.h"
PROXEL_SCAN_UNDECIDED_CONSTANTS(PROXEL_SPECIALISED)
#include "undecided.glsl"
#include "after.glsl"
#include "proxel/passes/scan_select.h"

#include "block_select.glsl"
#include "canonical_row.glsl"

layout(push_constant, std430) uniform Push { ScanUndecidedParameters p; };

bool allowed(uvec2 filter_bits, uint index) {
  return is_null(p.filter_bits) || (UintsIn(filter_bits).values[index / 32u] >> index % 32u & 1u) != 0u;
}

void main() {
  const UndecidedQueries undecided = undecided_of(p.undecided, p.few, p.most_few, p.first_undecided, p.lists);
  const uint count = undecided.count;
  const uint groups = lists_of_each(count, p.lists, p.most_groups);
  const uint step_rows = scan_tiles_per_step * tile_rows;
  const uint steps = (p.rows.count - 1u) / step_rows + 1u;
  for (uint pair = gl_WorkGroupID.x; pair < count * groups; pair += gl_NumWorkGroups.x) {
    const uint number = undecided_query(undecided, pair / groups);
    FloatsIn query = FloatsIn(advance_elements(p.queries, number, p.query_stride));
    const uvec2 filter_bits = advance_elements(p.filter_bits, number, p.filter_stride);
    const bool continued = !is_null(p.after);
    const uvec2 after = key_after(p.after, min(pair / groups, max(count, 1u) - 1u), 1u, p.undecided);
    select_begin(p.k);
    for (uint step = pair % groups; step < steps; step += groups) {
      uvec2 keys[4];
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        const uint row = step * step_rows + j * WORKGROUP_SIZE + gl_LocalInvocationID.x;
        keys[j] = no_row;
        if (row < p.rows.count && allowed(filter_bits, p.first_index + row))
          keys[j] = uvec2(sum_key(canonical_row(query, p.rows, row, p.dimensions)), p.first_index + row);
        if (continued && !key_less(after, keys[j])) keys[j] = no_row;
      }
      select_offer(keys);
    }
    select_finish();
    Keys list = Keys(advance(p.found, pair, 8u * p.k));
    for (uint i = gl_LocalInvocationID.x; i < p.k; i += WORKGROUP_SIZE) list.values[i] = pool[i].yx;
    barrier();
  }
}
