#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_survivors.h"
PROXEL_SCREEN_SURVIVORS_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "order.glsl"
#include "selected.glsl"

#define COUNTING_BINS counting_bins
#include "kth_by_counting.glsl"
#include "screened_row.glsl"

layout(push_constant, std430) uniform Push { ScreenSurvivorsParameters p; };
#include "collected.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
// Coherent, because one invocation writes a row's number and another reads it.
layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer CoherentKeys { uvec2 values[]; };

shared uint kept;

void count_candidates(UintsIn counts, uint lanes) {
  for (uint split = gl_LocalInvocationID.x / lanes; split < p.splits; split += WORKGROUP_SIZE / lanes) {
    const uint count = counts.values[split];
    Found list = list_of(split);
    for (uint i = gl_LocalInvocationID.x % lanes; i < count; i += lanes) {
      const uvec2 entry = list.values[i];
      counting_add(distance_key(uintBitsToFloat(entry.x) - error_of(entry.y), true));
    }
  }
}

void keep_candidates(UintsIn counts, uint lanes, float threshold, CoherentKeys keys) {
  for (uint split = gl_LocalInvocationID.x / lanes; split < p.splits; split += WORKGROUP_SIZE / lanes) {
    const uint count = counts.values[split];
    Found list = list_of(split);
    for (uint i = gl_LocalInvocationID.x % lanes; i < count; i += lanes) {
      const uvec2 entry = list.values[i];
      const float score = uintBitsToFloat(entry.x);
      if (score == -infinity || score + error_of(entry.y) < threshold) continue;
      const uint at = atomicAdd(kept, 1u);
      if (at < p.room) keys.values[at] = uvec2(entry.y, 0u);
    }
  }
}

// How many rows survive, whose keys are then written; 0 where that is not decided.
uint find_survivors(FloatsIn query_values) {
  UintsIn counts = UintsIn(advance_elements(p.counts, slot, p.splits));
  if (bounds.error.w == 0.0) return 0u;
  const int collected = collected_rows(counts);
  if (collected < int(p.k)) return 0u;
  const uint lanes = list_lanes(collected);
  counting_begin();
  do {
    counting_next();
    count_candidates(counts, lanes);
  } while (!counting_narrow(p.k, p.k / 64u));
  const float lower = distance_of_key(counting_key, true);
  const float threshold = screening_threshold(bounds.slacks, lower);
  if (!(lower >= least_certifying_bound) || !is_finite(threshold) || !bears_out(bounds, threshold)) return 0u;
  CoherentKeys keys = CoherentKeys(advance_keys(p.survivors, slot, p.room));
  keep_candidates(counts, lanes, threshold, keys);
  memoryBarrierBuffer();
  barrier();
  const uint count = kept;
  if (count < p.k || count > p.room) return 0u;
  for (uint i = gl_LocalInvocationID.x; i < count; i += WORKGROUP_SIZE) {
    const uint row = keys.values[i].x;
    keys.values[i] = uvec2(row, sum_key(screened_row(query_values, p.rows, row, p.dimensions)));
  }
  return count;
}

void serve(uint thread, uint count) {
  const uint query = selected_query_of_all(p.selected, p.first_selected, slot, count, p.queries);
  bounds = query_bounds_at(p.query_bounds, slot, p.found);
  if (thread == 0u) kept = 0u;
  barrier();
  const uint survivors = find_survivors(FloatsIn(advance_elements(p.queries, query, p.dimensions)));
  if (thread != 0u) return;
  UintsOut(advance(p.survivor_counts, slot, 4u)).values[0] = survivors;
  if (survivors != 0u) return;
  Uints undecided = Uints(p.undecided);
  undecided.values[4u + atomicAdd(undecided.values[0], 1u)] = p.first_query + query;
}

void main() {
  const uint count = selected_count(p.selected, p.first_selected, p.query_count, p.queries);
  for (uint next = gl_WorkGroupID.x; next < count; next += gl_NumWorkGroups.x) {
    slot = min(next, max(count, 1u) - 1u);
    serve(gl_LocalInvocationID.x, count);
    barrier();
  }
}
