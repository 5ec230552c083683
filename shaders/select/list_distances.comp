#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/list_distances.h"
PROXEL_LIST_DISTANCES_CONSTANTS(PROXEL_SPECIALISED)
#include "after.glsl"
#include "filter.glsl"
#include "order.glsl"
#include "prefix_sums.glsl"

layout(push_constant, std430) uniform Push { ListDistancesParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counts { uint values[]; };

uint value_bits(uint key) { return floatBitsToUint(distance_of_key(key, p.largest_first != 0u)); }

// Every column's value, at its place.
void write_all(uint query) {
  const uint vectors = p.columns / 4u + uint(p.columns % 4u != 0u);
  Uint4sIn keys = Uint4sIn(advance_elements(p.keys, query, p.keys_stride));
  Uint4sOut values = Uint4sOut(advance_elements(p.values, query, p.values_stride));
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint vector = gl_GlobalInvocationID.x; vector < vectors; vector += stride) {
    uvec4 four = keys.values[vector];
    [[unroll]] for (uint j = 0u; j < 4u; ++j) four[j] = value_bits(four[j]);
    values.values[vector] = four;
  }
}

// Counts or lists what is admitted of a part.
void list_part(uint query) {
  const uint thread = gl_LocalInvocationID.x;
  const bool continues = !is_null(p.after);
  const uvec2 after = key_after(p.after, query, p.after_stride, p.keys);
  uvec2 filter_words = uvec2(0u);
  if (FILTERED) filter_words = filter_of_query(p.filter_bits, query, p.filter_stride);
  Uint4sIn keys = Uint4sIn(advance_elements(p.keys, query, p.keys_stride));
  Counts counts = Counts(advance_elements(p.counts, query, p.counts_stride));
  UintsOut values = UintsOut(advance_elements(p.values, query, p.values_stride));
  UintsOut rows = UintsOut(advance_elements(p.rows, query, p.values_stride));
  const uint part = p.first_part + gl_WorkGroupID.x;
  uint all = 0u;
  uint listed = 0u;
  if (CONTENT == distances_listed) {
    for (uint before = thread; before < part; before += WORKGROUP_SIZE) listed += counts.values[before];
    sum_before(listed, all);
    listed = all;
  }
  const uint begin = gl_WorkGroupID.x * p.part_columns;
  const uint end = begin + min(p.part_columns, p.columns - begin);
  uint counted = 0u;
  for (uint base = begin; base < end; base += 4u * distances_fours * WORKGROUP_SIZE) {
    const uint first = base + 4u * distances_fours * thread;
    uvec4 four[distances_fours];
    uint admitted = 0u;
    [[unroll]] for (uint v = 0u; v < distances_fours; ++v) {
      four[v] = uvec4(0u);
      const uint column = first + 4u * v;
      if (column >= end) continue;
      four[v] = keys.values[column / 4u];
      uint some = 15u;
      if (FILTERED)
        some = four_rows_allowed(filter_words, p.first_index + column, p.first_index + p.columns - 1u);
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        const uvec2 key = uvec2(four[v][j], p.first_index + column + j);
        if (column + j >= end || (continues && !key_less(after, key))) some &= ~(1u << j);
      }
      admitted |= some << (4u * v);
    }
    const uint mine = uint(bitCount(admitted));
    counted += mine;
    if (CONTENT == distances_counted) continue;
    uint slot = listed + sum_before(mine, all);
    [[unroll]] for (uint v = 0u; v < distances_fours; ++v)
      [[unroll]] for (uint j = 0u; j < 4u; ++j)
        if ((admitted & (1u << (4u * v + j))) != 0u) {
          values.values[slot] = value_bits(four[v][j]);
          rows.values[slot] = p.first_index + first + 4u * v + j;
          ++slot;
        }
    listed += all;
  }
  if (CONTENT == distances_counted) {
    sum_before(counted, all);
    if (thread == 0u) counts.values[part] = all;
  }
}

void main() {
  const uint query = gl_WorkGroupID.y;
  if (CONTENT == distances_all)
    write_all(query);
  else
    list_part(query);
}
