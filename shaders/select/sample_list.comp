#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/sample_list.h"
PROXEL_SAMPLE_LIST_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"
#define CHUNK_FOURS listed_fours
#include "row_chunk.glsl"

layout(push_constant, std430) uniform Push { SampleListParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counters { uint values[]; };

shared uvec2 gathered[listed_at_once];
shared uint listed;  // keys of this workgroup
shared uvec2 bounds[most_sample_parts];
shared uint taken[most_sample_parts];  // places of a part, by this workgroup
shared uint place[most_sample_parts];  // the next of these

// A key of those that an invocation has chosen, from its first four on. It is read again: few have no room among those gathered.
uvec2 chosen_key(uint mine, uint number) {
  const uint four = mine + number / 4u * WORKGROUP_SIZE;
  const uint bits = UintsIn(advance(row_address, four, 16u)).values[number % 4u];
  return uvec2(distance_key(uintBitsToFloat(bits), LARGEST_FIRST), column_of(four, number % 4u));
}

// The first part whose bound a key does not exceed; it does not exceed the last part's.
uint part_of(uvec2 key) {
  uint low = 0u, high = p.parts - 1u;
  while (low < high) {
    const uint middle = (low + high) / 2u;
    if (key_less(bounds[middle], key)) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

void put(uvec2 lists, uint part, uint to, uvec2 key) {
  if (to < p.room) Keys(advance_keys(lists, part, p.room)).values[to] = key.yx;
}

void main() {
  const uint row = gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y;
  if (row >= p.rows.rows) return;
  open_row(p.rows, row);
  const uint thread = gl_LocalInvocationID.x;
  const uint first = gl_WorkGroupID.x * p.segment_fours;
  const uint end = min(first + p.segment_fours, row_vectors());
  if (first >= end) return;
  Keys row_bounds = Keys(advance_keys(p.bounds, row, p.parts));
  Counters counters = Counters(advance_elements(p.counters, row, p.parts));
  const uint row_keys = p.parts * p.room;
  const uvec2 lists = advance_keys(advance_keys(p.lists, row, row_keys), row, row_keys);
  for (uint part = thread; part < p.parts; part += WORKGROUP_SIZE) {
    bounds[part] = row_bounds.values[part].yx;
    taken[part] = 0u;
  }
  if (thread == 0u) listed = 0u;
  barrier();
  const uvec2 bound = bounds[p.parts - 1u];
  for (uint at = first; at < end; at += CHUNK_STEP) {
    read_row_chunk(at);
    uint chosen = row_chunk_up_to(bound, at);
    if (chosen == 0u) continue;
    uint to = atomicAdd(listed, uint(bitCount(chosen)));
    [[unroll]] for (uint i = 0u; i < CHUNK_FOURS; ++i)
      [[unroll]] for (uint e = 0u; e < 4u; ++e)
        if ((chosen & 1u << (4u * i + e)) != 0u && to < listed_at_once) {
          gathered[to] = row_chunk_key(at, i, e);
          ++to;
          chosen &= ~(1u << (4u * i + e));
        }
    for (; chosen != 0u; chosen &= chosen - 1u) {
      const uvec2 key = chosen_key(at + thread, uint(findLSB(chosen)));
      const uint part = part_of(key);
      put(lists, part, atomicAdd(counters.values[part], 1u), key);
    }
  }
  barrier();
  const uint count = min(listed, listed_at_once);
  if (p.parts == 1u) {
    if (thread == 0u) taken[0] = count;
  } else {
    for (uint i = thread; i < count; i += WORKGROUP_SIZE) atomicAdd(taken[part_of(gathered[i])], 1u);
  }
  barrier();
  for (uint part = thread; part < p.parts; part += WORKGROUP_SIZE)
    if (taken[part] != 0u) place[part] = atomicAdd(counters.values[part], taken[part]);
  barrier();
  for (uint i = thread; i < count; i += WORKGROUP_SIZE) {
    const uvec2 key = gathered[i];
    const uint part = part_of(key);
    uint to = place[0] + i;
    if (p.parts != 1u) to = atomicAdd(place[part], 1u);
    put(lists, part, to, key);
  }
}
