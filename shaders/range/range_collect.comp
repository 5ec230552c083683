#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/range_collect.h"
PROXEL_RANGE_COLLECT_CONSTANTS(PROXEL_SPECIALISED)
#include "filter.glsl"
#include "matches.glsl"
#include "order.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { RangeCollectParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counters { uint values[]; };

shared uint found;  // matches of the workgroup
shared uint place;  // where the counter stood before them

// Counts `mine` matches of this invocation, all invocations together. Returns
// the counter of its first one.
uint count_matches(uint mine) {
  const uint thread = gl_LocalInvocationID.x;
  if (thread == 0u) found = 0u;
  barrier();
  uint before = 0u;
  if (mine != 0u) before = atomicAdd(found, mine);
  barrier();
  if (thread == 0u && found != 0u)
    place = atomicAdd(Counters(p.counters).values[gl_WorkGroupID.y], found);
  barrier();
  return place + before;
}

void main() {
  const uint query = gl_WorkGroupID.y;
  const bool writes = !is_null(p.indices);
  uvec2 first_match = uvec2(0u);
  // Where nothing is written any numbers will do: a row of keys has as many.
  uint room = find_matches(readable(writes, p.offsets, p.keys), writes ? query : 0u, p.capacity, first_match);
  UintsOut indices = UintsOut(advance_number(p.indices, first_match));
  UintsOut distance_keys = UintsOut(advance_number(p.distance_keys, first_match));
  uvec2 filter_words = uvec2(0u);
  if (FILTERED != 0u) filter_words = filter_of_query(p.filter_bits, query, p.filter_stride);

  const uint first = gl_WorkGroupID.x * p.segment_columns;
  const uint end = first + min(p.segment_columns, p.columns - first);
  Uint4sIn row = Uint4sIn(advance_elements(p.keys, query, p.keys_stride));
  UintsIn rows = UintsIn(advance_elements(p.rows, query, p.rows_stride));
  uint counted = 0u;
  for (uint base = first; base < end; base += 4u * WORKGROUP_SIZE) {
    const uint column = base + 4u * gl_LocalInvocationID.x;
    uvec4 keys = uvec4(0xFFFFFFFFu);
    uint matching = 0u;
    if (column < end) {
      keys = row.values[column / 4u];
      if (CONTENT != range_keys)
        [[unroll]] for (uint j = 0u; j < 4u; ++j)
          keys[j] = distance_key(uintBitsToFloat(keys[j]), CONTENT == range_values_descending);
      matching = FILTERED == 0u ? 15u
                                : four_rows_allowed(filter_words, p.first_index + column,
                                                    p.first_index + end - 1u);
      [[unroll]] for (uint j = 0u; j < 4u; ++j)
        if (column + j >= end || keys[j] > p.limit) matching &= ~(1u << j);
    }
    if (!writes) {
      counted += bitCount(matching);
      continue;
    }
    uint slot = count_matches(bitCount(matching));
    [[unroll]] for (uint j = 0u; j < 4u; ++j)
      if ((matching & (1u << j)) != 0u) {
        if (slot < room) {
          indices.values[slot] = is_null(p.rows) ? p.first_index + column + j : rows.values[column + j];
          distance_keys.values[slot] = keys[j];
        }
        ++slot;
      }
  }
  if (!writes) count_matches(counted);
}
