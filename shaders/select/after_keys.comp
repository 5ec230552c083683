#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/after_keys.h"
PROXEL_AFTER_KEYS_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "decode.glsl"
#include "row_distance.glsl"
#include "workgroup.glsl"

// What is seen of finished distances is smallest first.
const bool SEEN_LARGEST = LARGEST_FIRST && FINISH == finish_none;
layout(push_constant, std430) uniform Push { AfterKeysParameters p; };

// The distance key of a row that these rows hold.
uint own_distance_key(uint query, uint row) {
  FloatsIn coordinates = FloatsIn(advance_elements(p.queries, query, p.query_stride));
  return sum_key(row_distance(p.rows, row, coordinates, p.dimensions));
}

// The key of what a caller sees.
uint seen_key(float distance) { return distance_key(distance, SEEN_LARGEST); }

// The distance key of the last value that is seen as the bound or nearer. Keys
// are compared, so that nothing depends on what a device does to denormals.
uint last_key_within(uint bound_key) {
  if (FINISH == finish_none || bound_key == 0xFFFFFFFFu) return bound_key;
  if (FINISH == finish_root && bound_key < 0x80000000u) return bound_key;  // negative
  // From the key of 0, or of +infinity that is nearest, to past that of the farthest.
  uint least = FINISH == finish_root ? 0x80000000u : 0x007FFFFFu;
  uint above = 0xFF800001u;
  while (above - least > 1u) {
    const uint middle = least + (above - least) / 2u;
    if (seen_key(decoded_distance(uvec2(middle, 0u), LARGEST_FIRST, FINISH)) <= bound_key)
      least = middle;
    else
      above = middle;
  }
  return least;
}

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint query = gl_GlobalInvocationID.x; query < p.query_count; query += stride) {
    const uint bound = seen_key(FloatsIn(advance_elements(p.distances, query, p.pair_stride)).values[0]);
    const uint index = UintsIn(advance_elements(p.indices, query, p.pair_stride)).values[0];
    uvec2 key = no_row;
    bool found = false;
    if (FINISH != finish_none && index >= p.first_index && index - p.first_index < p.rows.count) {
      const uint own = own_distance_key(query, index - p.first_index);
      found = seen_key(decoded_distance(uvec2(own, index), LARGEST_FIRST, FINISH)) == bound;
      if (found) key = uvec2(own, index);
    }
    if (!found && p.others == 0u) continue;
    if (!found) key = uvec2(last_key_within(bound), index);
    if (index == no_row.y) key = no_row;
    Keys(p.keys).values[query] = key.yx;
  }
}
