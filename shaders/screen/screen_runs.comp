#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_runs.h"
PROXEL_SCREEN_RUNS_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "decode.glsl"
#include "order.glsl"
#include "screen_bounds.glsl"
#include "selected.glsl"
#include "workgroup.glsl"
#include "runs.glsl"

layout(push_constant, std430) uniform Push { ScreenRunsParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };

void write_answer(uint query, uint rank, uvec2 key) {
  UintsOut(advance_elements(p.indices, query, p.k)).values[rank] = key.y;
  FloatsOut(advance_elements(p.distances, query, p.k)).values[rank] = decoded_distance(key, LARGEST_FIRST, p.finish);
}

void serve(uint slot, uint queries) {
  const uint count = UintsIn(advance(p.survivor_counts, slot, 4u)).values[0];
  if (count == 0u) return;
  const uint query = selected_query_of_all(p.selected, p.first_selected, slot, queries, p.survivors);
  const uvec2 keys = advance_keys(p.survivors, slot, p.room);
  const uvec2 spare = advance_keys(p.spare, slot, p.spare_stride);
  if (distribute(keys, spare, count)) {
    const uint end = distributed_end(p.k);
    for (uint i = gl_LocalInvocationID.x; i < end; i += WORKGROUP_SIZE) {
      const uvec2 key = DISTRIBUTED_KEY(i);
      const uint rank = rank_of(key);
      if (rank < p.k) write_answer(query, rank, key);
    }
    return;
  }
  CoherentKeys sorted = CoherentKeys(sort_and_merge(keys, spare, count, p.k));
  // Where the k-th distance overflows, so may those of rows that were dropped.
  if (!is_finite(distance_of_key(sorted.values[p.k - 1u].y, LARGEST_FIRST))) {
    if (gl_LocalInvocationID.x == 0u) {
      Uints undecided = Uints(p.undecided);
      undecided.values[4u + atomicAdd(undecided.values[0], 1u)] = p.first_query + query;
    }
    return;
  }
  for (uint rank = gl_LocalInvocationID.x; rank < p.k; rank += WORKGROUP_SIZE)
    write_answer(query, rank, sorted.values[rank].yx);
}

void main() {
  const uint count = selected_count(p.selected, p.first_selected, p.query_count, p.survivors);
  for (uint next = gl_WorkGroupID.x; next < count; next += gl_NumWorkGroups.x) {
    serve(min(next, max(count, 1u) - 1u), count);
    barrier();
  }
}
