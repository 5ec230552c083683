#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/sample_select.h"
PROXEL_SAMPLE_SELECT_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#include "selection_rows.glsl"
#include "runs.glsl"

#define COUNTING_BINS counting_bins
#include "kth_by_counting.glsl"

layout(push_constant, std430) uniform Push { SampleSelectParameters p; };

// What is done with a key that is read.
const uint to_count = 0u;          // as one of all
const uint to_count_column = 1u;   // of those that are `kth`, its column
const uint to_count_smaller = 2u;  // whether it is below `kth`
const uint to_list = 3u;           // where it is among the k smallest

shared uint held;  // keys listed
uint kth;
uint equal_ones;   // keys that are `kth` and belong to the k smallest
uint last_column;  // of these

void list_key(CoherentKeys keys, uint key, uint column) {
  const uint at = atomicAdd(held, 1u);
  if (at < p.room) keys.values[at] = uvec2(column, key);
}

void use_key(CoherentKeys keys, uint use, uint key, uint column) {
  if (use == to_count) {
    counting_add(key);
  } else if (use == to_count_column) {
    if (key == kth) counting_add(column);
  } else if (use == to_count_smaller) {
    if (key < kth) atomicAdd(held, 1u);
  } else if (key < kth || (key == kth && equal_ones != 0u && column <= last_column)) {
    list_key(keys, key, column);
  }
}

// This invocation's share of the row: of every `step`-th four.
void use_row(CoherentKeys keys, uint use, uint step) {
  const uint end = row_vectors();
  for (uint vector = gl_LocalInvocationID.x * step; vector < end; vector += WORKGROUP_SIZE * step) {
    const uvec4 bits = read_vector(vector);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      const uint column = column_of(vector, i);
      if (column != 0xFFFFFFFFu) use_key(keys, use, distance_key(uintBitsToFloat(bits[i]), LARGEST_FIRST), column);
    }
  }
}

void clear_list() {
  barrier();
  if (gl_LocalInvocationID.x == 0u) held = 0u;
  barrier();
}
uint held_now() {
  barrier();
  return held;
}

// Leaves in counting_key about the `rank`-th of the keys that are counted.
void count_keys(CoherentKeys keys, uint use, uint step, uint rank, uint slack) {
  counting_begin();
  do {
    counting_next();
    use_row(keys, use, step);
  } while (!counting_narrow(rank, slack));
}

// Lists what is not beyond a key; how much that is.
uint list_up_to(CoherentKeys keys, uint bound) {
  const uint vectors = 4u;  // that are on their way together
  const uint end = row_vectors();
  clear_list();
  for (uint first = gl_LocalInvocationID.x; first < end; first += vectors * WORKGROUP_SIZE) {
    uvec4 bits[vectors];
    [[unroll]] for (uint i = 0u; i < vectors; ++i) bits[i] = read_vector(min(first + i * WORKGROUP_SIZE, end - 1u));
    [[unroll]] for (uint i = 0u; i < vectors; ++i) {
      const uint vector = first + i * WORKGROUP_SIZE;
      if (vector >= end) break;
      const uvec4 four = uvec4(distance_key(uintBitsToFloat(bits[i].x), LARGEST_FIRST),
                               distance_key(uintBitsToFloat(bits[i].y), LARGEST_FIRST),
                               distance_key(uintBitsToFloat(bits[i].z), LARGEST_FIRST),
                               distance_key(uintBitsToFloat(bits[i].w), LARGEST_FIRST));
      if (min(min(four.x, four.y), min(four.z, four.w)) > bound) continue;
      for (uint e = 0u; e < 4u; ++e) {
        const uint column = column_of(vector, e);
        if (four[e] <= bound && column != 0xFFFFFFFFu) list_key(keys, four[e], column);
      }
    }
  }
  return held_now();
}

// Lists exactly the k smallest.
void list_exactly(CoherentKeys keys) {
  count_keys(keys, to_count, 1u, p.result.k, 0u);
  kth = counting_key;
  clear_list();
  use_row(keys, to_count_smaller, 1u);
  // Of equal values those of the first columns are taken.
  equal_ones = p.result.k - held_now();
  last_column = 0u;
  if (equal_ones != 0u) {
    count_keys(keys, to_count_column, 1u, equal_ones, 0u);
    last_column = counting_key;
  }
  clear_list();
  use_row(keys, to_list, 1u);
}

void main() {
  const uint row = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (row >= p.rows.rows) return;
  open_row(p.rows, row);
  const uvec2 list = advance_keys(advance_keys(p.lists, row, p.room), row, p.room);
  CoherentKeys keys = CoherentKeys(list);
  count_keys(keys, to_count, p.sample_step, p.sample_rank, p.sample_rank / 16u);
  uint count = list_up_to(keys, counting_key);
  if (count < p.result.k || count > p.room) {
    list_exactly(keys);
    count = p.result.k;
  }
  memoryBarrierBuffer();
  barrier();
  CoherentKeys sorted = CoherentKeys(in_order(list, advance_keys(list, 1u, p.room), count, p.result.k));
  for (uint slot = gl_LocalInvocationID.x; slot < p.result.k; slot += WORKGROUP_SIZE)
    write_selected(p.result, p.rows, row, slot, sorted.values[slot].yx, LARGEST_FIRST);
}
