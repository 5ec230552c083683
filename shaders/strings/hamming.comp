#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/hamming.h"
PROXEL_LEVENSHTEIN_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { LevenshteinParameters p; };
#include "string_items.glsl"

void main() {
  const uint query = gl_WorkGroupID.y;
  UintsIn offsets = UintsIn(advance(p.offsets, query, 4u));
  const uint query_length = offsets.values[1] - offsets.values[0];
  const uvec2 table = advance_elements(p.tables, query, p.words * p.alphabet);
  const uint items = items_of_query();
  const uint tiles = (items - 1u) / WORKGROUP_SIZE + 1u;
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
    const uint item = tile * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    if (item >= items) continue;
    const uint place = place_of(query, item);
    const uint string_length = length_of(place);
    const bool near = lengths_allow(query_length, string_length);
    uint same = 0u;
    if (near) {
      Reader reader = reader_of(place);
      for (uint i = 0u; i < min(query_length, string_length); ++i) {
        const uint places =
            UintsIn(advance(table, i / 32u * p.alphabet + next_symbol(reader, i), 4u)).values[0];
        same += places >> (i & 31u) & 1u;
      }
    }
    put_distance(query, item, place, near, max(query_length, string_length) - same);
  }
}
