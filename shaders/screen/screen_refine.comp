#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_refine.h"
PROXEL_SCREEN_REFINE_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "screen_bounds.glsl"
#include "selected.glsl"

#define PROXEL_POOL_LENGTH LIST_LENGTH
#include "block_select.glsl"
const uint KTH_RUN = LIST_LENGTH / 2u;
#include "kth_smallest.glsl"
#include "screened_row.glsl"
#include "decode.glsl"

layout(push_constant, std430) uniform Push { ScreenRefineParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
#include "collected.glsl"

FloatsIn query_values;

// Where an invocation is in the lists that it has a share of.
struct Place {
  uint lanes, split, i, count;
};
Place first_place(UintsIn counts, uint lanes) {
  const uint thread = gl_LocalInvocationID.x;
  const uint split = thread / lanes;
  return Place(lanes, split, thread % lanes, split < p.splits ? counts.values[split] : 0u);
}
// Whether there is a row, at this place or the next one that has any.
bool has_row(inout Place place, UintsIn counts) {
  while (place.split < p.splits && place.i >= place.count) {
    place.split += WORKGROUP_SIZE / place.lanes;
    place.i = gl_LocalInvocationID.x % place.lanes;
    place.count = place.split < p.splits ? counts.values[place.split] : 0u;
  }
  return place.split < p.splits;
}

shared uint kth_kept;

// The k-th largest of what the collected rows score at least.
float lower_bound(UintsIn counts, uint collected, uint lanes) {
  if (gl_LocalInvocationID.x == 0u) kth_kept = 0u;
  barrier();
  Place place = first_place(counts, lanes);
  uint kept = 0u;
  // A row of each invocation at a time; where no more fit the smallest remain.
  for (uint seen = 0u; seen < collected;) {
    if (has_row(place, counts)) {
      const uvec2 entry = list_of(place.split).values[place.i];
      kth_keys[atomicAdd(kth_kept, 1u)] = distance_key(uintBitsToFloat(entry.x) - error_of(entry.y), true);
      place.i += place.lanes;
    }
    barrier();
    seen += kth_kept - kept;
    kept = kth_kept;
    barrier();
    if (kept + WORKGROUP_SIZE <= KTH_ROOM || seen >= collected) continue;
    kth_reduce(kept);
    kept = KTH_RUN;
    if (gl_LocalInvocationID.x == 0u) kth_kept = KTH_RUN;
    barrier();
  }
  kth_reduce(kept);
  return distance_of_key(kth_keys[p.k - 1u], true);
}

const uint UNDECIDED = 0xFFFFFFFFu;

// Leaves the rows that may be among the k nearest in the pool; returns how
// many there are, which may be more than the pool holds, or UNDECIDED.
// @param few  fewer than k were collected: all of them
uint survivors(UintsIn counts, uint collected, bool few) {
  const uint lanes = list_lanes(int(collected));
  float threshold = -largest_float;
  if (!few) {
    threshold = screening_threshold(bounds.slacks, lower_bound(counts, collected, lanes));
    if (!bears_out(bounds, threshold)) return UNDECIDED;
  }
  select_begin(p.k);
  for (Place place = first_place(counts, lanes); has_row(place, counts); place.i += lanes) {
    const uvec2 entry = list_of(place.split).values[place.i];
    const float score = uintBitsToFloat(entry.x);
    if (score == -infinity || score + error_of(entry.y) < threshold) continue;
    const uint at = atomicAdd(pool_count, 1u);
    if (at < POOL) pool[at].y = entry.y;
  }
  barrier();
  return pool_count;
}

// Leaves the k nearest in the pool, or returns false.
bool refine() {
  UintsIn counts = UintsIn(advance_elements(p.counts, slot, p.splits));
  const int collected = collected_rows(counts);
  const bool few = collected < int(p.k);
  if (bounds.error.w == 0.0 || collected < 0 || (few && !is_bounded(bounds))) return false;
  const uint count = survivors(counts, uint(collected), few);
  if (count > POOL) return false;
  for (uint i = gl_LocalInvocationID.x; i < count; i += WORKGROUP_SIZE)
    pool[i].x = distance_key(screened_row(query_values, p.rows, pool[i].y, p.dimensions),
                             LARGEST_FIRST);
  barrier();
  select_finish();
  // Where the k-th distance overflows, so may those of rows that were dropped.
  return few || is_finite(distance_of_key(pool[p.k - 1u].x, LARGEST_FIRST));
}

void serve(uint thread, uint count) {
  const uint query = selected_query_of_all(p.selected, p.first_selected, slot, count, p.queries);
  query_values = FloatsIn(advance_elements(p.queries, query, p.dimensions));
  bounds = query_bounds_at(p.query_bounds, slot, p.found);
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
    distances.values[i] = decoded_distance(pool[i], LARGEST_FIRST, p.finish);
  }
}

void main() {
  const uint count = selected_count(p.selected, p.first_selected, p.query_count, p.queries);
  for (uint next = gl_WorkGroupID.x; next < count; next += gl_NumWorkGroups.x) {
    slot = min(next, max(count, 1u) - 1u);
    serve(gl_LocalInvocationID.x, count);
    barrier();
  }
}
