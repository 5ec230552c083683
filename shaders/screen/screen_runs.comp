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

shared uvec2 pool[RUN];
#include "bitonic_sort.glsl"

layout(push_constant, std430) uniform Push { ScreenRunsParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };
// Coherent, because invocations read what others have written. In memory a key is index first.
layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer CoherentKeys { uvec2 values[]; };

// Sorts every run of the keys; only its k smallest are written back.
void sort_runs(CoherentKeys keys, uint count) {
  for (uint first = 0u; first < count; first += RUN) {
    const uint held = min(RUN, count - first);
    uint size = 2u;
    while (size < held) size *= 2u;
    for (uint i = gl_LocalInvocationID.x; i < size; i += WORKGROUP_SIZE)
      pool[i] = i < held ? keys.values[first + i].yx : no_row;
    barrier();
    sort_pool(size);
    for (uint i = gl_LocalInvocationID.x; i < min(held, p.k); i += WORKGROUP_SIZE) keys.values[first + i] = pool[i].yx;
    barrier();
  }
}

// Merges pairs of runs of `run` keys, each as far as its k smallest. An invocation takes run_items neighbouring places
// of a merged run at a time, and finds by bisection where in both runs their keys begin.
void merge_pairs(uvec2 from_address, uvec2 to_address, uint count, uint run) {
  CoherentKeys from = CoherentKeys(from_address);
  CoherentKeys to = CoherentKeys(to_address);
  for (uint chunk = gl_LocalInvocationID.x * run_items; chunk < count; chunk += WORKGROUP_SIZE * run_items) {
    const uint first = chunk / (2u * run) * (2u * run);
    const uint second = first + run;
    const uint place = chunk - first;
    const uint first_length = min(min(run, count - first), p.k);
    const uint second_length = count > second ? min(min(run, count - second), p.k) : 0u;
    const uint end = min(min(place + run_items, first_length + second_length), p.k);
    if (place >= end) continue;
    uint low = place > second_length ? place - second_length : 0u;
    uint high = min(place, first_length);
    while (low < high) {
      const uint middle = (low + high) / 2u;
      if (key_less(from.values[first + middle].yx, from.values[second + place - 1u - middle].yx))
        low = middle + 1u;
      else
        high = middle;
    }
    uint i = low;
    uint j = place - low;
    uvec2 a = no_row;
    uvec2 b = no_row;
    if (i < first_length) a = from.values[first + i].yx;
    if (j < second_length) b = from.values[second + j].yx;
    for (uint at = place; at < end; ++at) {
      if (key_less(a, b)) {
        to.values[first + at] = a.yx;
        ++i;
        a = no_row;
        if (i < first_length) a = from.values[first + i].yx;
      } else {
        to.values[first + at] = b.yx;
        ++j;
        b = no_row;
        if (j < second_length) b = from.values[second + j].yx;
      }
    }
  }
}

void serve(uint slot, uint queries) {
  const uint count = UintsIn(advance(p.survivor_counts, slot, 4u)).values[0];
  if (count == 0u) return;
  const uint query = selected_query_of_all(p.selected, p.first_selected, slot, queries, p.survivors);
  // Addresses, because SwiftShader does not compile variables that are references and change.
  uvec2 from = advance_keys(p.survivors, slot, p.room);
  uvec2 to = advance_keys(p.spare, slot, p.spare_stride);
  sort_runs(CoherentKeys(from), count);
  memoryBarrierBuffer();
  barrier();
  for (uint run = RUN; run < count; run *= 2u) {
    merge_pairs(from, to, count, run);
    memoryBarrierBuffer();
    barrier();
    const uvec2 merged = to;
    to = from;
    from = merged;
  }
  CoherentKeys sorted = CoherentKeys(from);
  // Where the k-th distance overflows, so may those of rows that were dropped.
  if (!is_finite(distance_of_key(sorted.values[p.k - 1u].y, LARGEST_FIRST))) {
    if (gl_LocalInvocationID.x == 0u) {
      Uints undecided = Uints(p.undecided);
      undecided.values[4u + atomicAdd(undecided.values[0], 1u)] = p.first_query + query;
    }
    return;
  }
  UintsOut indices = UintsOut(advance_elements(p.indices, query, p.k));
  FloatsOut distances = FloatsOut(advance_elements(p.distances, query, p.k));
  for (uint i = gl_LocalInvocationID.x; i < p.k; i += WORKGROUP_SIZE) {
    const uvec2 key = sorted.values[i].yx;
    indices.values[i] = key.y;
    distances.values[i] = decoded_distance(key, LARGEST_FIRST, p.finish);
  }
}

void main() {
  const uint count = selected_count(p.selected, p.first_selected, p.query_count, p.survivors);
  for (uint next = gl_WorkGroupID.x; next < count; next += gl_NumWorkGroups.x) {
    serve(min(next, max(count, 1u) - 1u), count);
    barrier();
  }
}
