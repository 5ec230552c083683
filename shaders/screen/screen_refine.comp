#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "screen_bounds.glsl"
#include "proxel/passes/screen_refine.h"

layout(constant_id = 2) const uint LIST_LENGTH = 128u;
#define PROXEL_POOL_LENGTH LIST_LENGTH
#include "block_select.glsl"
#include "canonical_row.glsl"
#include "decode.glsl"

layout(push_constant, std430) uniform Push { ScreenRefineParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Found { uvec2 values[]; };

FloatsIn query_values;
QueryBounds bounds;
uint slot;  // of the lists

float error_of(uint row) {
  if (is_null(p.row_bounds)) return 0.0;
  return score_error(bounds.error, Float4sIn(advance(p.row_bounds, row / tile_rows, 16u)).values[0]);
}

Found list_of(uint split) {
  return Found(advance_keys(p.found, slot * p.splits + split, p.capacity));
}

// Leaves the rows that may be among the k nearest in the pool; returns how
// many there are, or more than the pool holds where the lists do not decide.
uint survivors(UintsIn counts) {
  const uint thread = gl_LocalInvocationID.x;
  select_begin(p.k);
  uint collected = 0u;
  for (uint split = 0u; split < p.splits; ++split) {
    const uint count = counts.values[split];
    if (count > p.capacity) return 0xFFFFFFFFu;
    collected += count;
    Found list = list_of(split);
    for (uint base = 0u; base < count; base += 4u * WORKGROUP_SIZE) {
      uvec2 keys[4];
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        const uint i = base + j * WORKGROUP_SIZE + thread;
        keys[j] = no_row;
        if (i < count) {
          const uvec2 entry = list.values[i];
          keys[j] = uvec2(distance_key(uintBitsToFloat(entry.x) - error_of(entry.y), true), entry.y);
        }
      }
      select_offer(keys);
    }
  }
  if (collected < p.k) return 0xFFFFFFFFu;
  select_finish();
  const float threshold =
      screening_threshold(bounds.slacks, distance_of_key(pool[p.k - 1u].x, true));
  barrier();
  if (thread == 0u) pool_count = 0u;
  barrier();
  for (uint split = 0u; split < p.splits; ++split) {
    Found list = list_of(split);
    for (uint i = thread; i < counts.values[split]; i += WORKGROUP_SIZE) {
      const uvec2 entry = list.values[i];
      if (uintBitsToFloat(entry.x) + error_of(entry.y) < threshold) continue;
      const uint at = atomicAdd(pool_count, 1u);
      if (at < POOL) pool[at].y = entry.y;
    }
  }
  barrier();
  return pool_count;
}

// Leaves the k nearest in the pool, or returns false.
bool refine() {
  const uint count = survivors(UintsIn(advance_elements(p.counts, slot, p.splits)));
  if (count > POOL) return false;
  for (uint i = gl_LocalInvocationID.x; i < count; i += WORKGROUP_SIZE)
    pool[i].x = distance_key(canonical_row(query_values, p.rows, pool[i].y, p.dimensions),
                             LARGEST_FIRST);
  barrier();
  select_finish();
  // Where the k-th distance overflows, so may those of rows that were dropped.
  return is_finite(distance_of_key(pool[p.k - 1u].x, LARGEST_FIRST));
}

void main() {
  const uint thread = gl_LocalInvocationID.x;
  slot = gl_WorkGroupID.x;
  uint query = slot;
  if (!is_null(p.selected)) {
    UintsIn selected = UintsIn(p.selected);
    if (p.first_selected + slot >= selected.values[0]) return;
    query = selected.values[4u + p.first_selected + slot];
  }
  query_values = FloatsIn(advance_elements(p.queries, query, p.dimensions));
  bounds = query_bounds_at(p.query_bounds, slot);
  if (!refine()) {
    if (thread == 0u) {
      Uints undecided = Uints(p.undecided);
      undecided.values[4u + atomicAdd(undecided.values[0], 1u)] = p.first_query + query;
    }
    return;
  }
  UintsOut indices = UintsOut(advance_elements(p.indices, query, p.k));
  FloatsOut distances = FloatsOut(advance_elements(p.distances, query, p.k));
  for (uint i = thread; i < p.k; i += WORKGROUP_SIZE) {
    indices.values[i] = pool[i].y;
    distances.values[i] = decoded_distance(pool[i], LARGEST_FIRST, p.root != 0u);
  }
}
