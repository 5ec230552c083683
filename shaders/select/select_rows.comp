#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/select_rows.h"
PROXEL_SELECT_ROWS_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "after.glsl"

#include "block_select.glsl"
#include "filter.glsl"

layout(push_constant, std430) uniform Push { SelectRowsParameters p; };

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint segment = gl_WorkGroupID.x;
  const uint query = gl_WorkGroupID.y;
  const bool continues = !is_null(p.after);
  const uvec2 after = key_after(p.after, query, p.after_stride, p.lists);
  Keys list = Keys(advance(p.lists, query * p.segments + segment, 8u * p.k));
  uvec2 filter_words = uvec2(0u);
  if (FILTERED != 0u) filter_words = filter_of_query(p.filter_bits, query, p.filter_stride);
  uvec2 keys[4];

  select_begin(p.k);
  if (p.first_chunk == 0u)
    for (uint base = 0u; base < p.k; base += 4u * WORKGROUP_SIZE) {
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        const uint i = base + j * WORKGROUP_SIZE + thread;
        keys[j] = i < p.k ? list.values[i].yx : no_row;
      }
      select_offer(keys);
    }

  const uint first = segment * p.segment_columns;
  const uint end = min(first + p.segment_columns, p.columns);
  Uint4sIn row = Uint4sIn(advance_elements(p.keys, query, p.keys_stride));
  for (uint base = first; base < end; base += 4u * WORKGROUP_SIZE) {
    const uint column = base + 4u * thread;
    uvec4 distances = uvec4(0xFFFFFFFFu);
    uint allowed = 15u;
    if (column < end) {
      distances = row.values[column / 4u];
      if (FILTERED != 0u)
        allowed = four_rows_allowed(filter_words, p.first_index + column, p.first_index + end - 1u);
    }
    [[unroll]] for (uint j = 0u; j < 4u; ++j) {
      const uvec2 key = uvec2(distances[j], p.first_index + column + j);
      const bool passed_over = (allowed & (1u << j)) == 0u || (continues && !key_less(after, key));
      keys[j] = column + j >= end || passed_over ? no_row : key;
    }
    select_offer(keys);
  }
  select_finish();
  for (uint i = thread; i < p.k; i += WORKGROUP_SIZE) list.values[i] = pool[i].yx;
}
