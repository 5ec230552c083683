#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "canonical.glsl"
#include "decode.glsl"
#include "workgroup.glsl"
#include "proxel/passes/after_keys.h"

layout(constant_id = 2) const uint ROOT = 0u;
layout(push_constant, std430) uniform Push { AfterKeysParameters p; };

uint key_of(float distance) { return distance_key(distance, LARGEST_FIRST); }

// The distance key of a row that these rows hold.
uint own_distance_key(uint query, uint row) {
  FloatsIn coordinates = FloatsIn(advance_elements(p.queries, query, p.query_stride));
  FloatsIn values = FloatsIn(tile_address(p.rows, row / tile_rows));
  uint at = (row % tile_rows) * p.rows.row_stride;
  float s = 0.0;
  for (uint i = 0u; i < p.dimensions; ++i, at += p.rows.dimension_stride)
    s = canonical_step(s, coordinates.values[i], values.values[at]);
  return key_of(s);
}

// The distance key of the largest value whose root is at most the bound. Keys
// are compared, so that nothing depends on what a device does to denormals.
uint root_bound(uint bound_key) {
  if (bound_key < 0x80000000u || bound_key == 0xFFFFFFFFu) return bound_key;  // negative, NaN
  uint least = 0u;
  uint above = 0x7F800001u;
  while (above - least > 1u) {
    const uint middle = least + (above - least) / 2u;
    if (key_of(rounded_root(uintBitsToFloat(middle))) <= bound_key)
      least = middle;
    else
      above = middle;
  }
  return least | 0x80000000u;
}

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint query = gl_GlobalInvocationID.x; query < p.query_count; query += stride) {
    const uint bound = key_of(FloatsIn(advance_elements(p.distances, query, p.pair_stride)).values[0]);
    const uint index = UintsIn(advance_elements(p.indices, query, p.pair_stride)).values[0];
    uvec2 key = uvec2(bound, index);
    bool found = false;
    if (ROOT != 0u && index >= p.first_index && index - p.first_index < p.rows.count) {
      const uint own = own_distance_key(query, index - p.first_index);
      found = key_of(decoded_distance(uvec2(own, index), false, true)) == bound;
      if (found) key.x = own;
    }
    if (!found && p.others == 0u) continue;
    if (!found && ROOT != 0u) key.x = root_bound(bound);
    if (index == no_row.y) key = no_row;
    Keys(p.keys).values[query] = key.yx;
  }
}
