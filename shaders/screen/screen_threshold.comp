#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_threshold.h"
#include "proxel/passes/screen_survivors.h"
PROXEL_SCREEN_THRESHOLD_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "order.glsl"
#include "screen_bounds.glsl"
#include "selected.glsl"

// Few bounds are narrowed down by halving their range, more are sorted in runs; of more neighbours than that serves they are counted, which
// has no room but its own.
const bool COUNTS = KTH_RUN == 0u;
const uint COUNTING_BINS = COUNTS ? counting_bins : 1u;
#include "kth_smallest.glsl"
#include "kth_by_counting.glsl"

layout(push_constant, std430) uniform Push { ScreenThresholdParameters p; };

uint key_count;
uint own_keys_up_to(uint limit) {
  uint count = 0u;
  for (uint i = gl_LocalInvocationID.x; i < key_count; i += WORKGROUP_SIZE) count += kth_keys[i] <= limit ? 1u : 0u;
  return count;
}

#include "select_key.glsl"

// Groups left when as many count as one as do no harm: a few times the rank.
uint folded_groups() {
  const uint wanted = p.rank < 64u ? 256u : min(4u * p.rank, screen_most_groups);
  return (p.groups - 1u) / max(p.groups / wanted, 1u) + 1u;
}

// The largest of the bounds that count as group i. Several are asked for together, which branches would keep the compiler from: past the
// last the first is read again.
float folded_bound(FloatsIn bounds, uint i, uint groups) {
  const uint together = 8u;
  float best = bounds.values[i];
  for (uint first = i + groups; first < p.groups; first += together * groups) {
    float others[together];
    [[unroll]] for (uint j = 0u; j < together; ++j) {
      const uint other = first + j * groups;
      others[j] = bounds.values[other < p.groups ? other : i];
    }
    [[unroll]] for (uint j = 0u; j < together; ++j) best = max(best, others[j]);
  }
  return best;
}

void write_threshold(uint query, float lower_bound) {
  const QueryBounds own = query_bounds_at(p.query_bounds, query, p.lower_bounds);
  const bool decides = own.error.w != 0.0 && lower_bound >= least_certifying_bound;
  const float threshold = decides ? screening_threshold(own.slacks, lower_bound) : infinity;
  FloatsOut(advance(p.thresholds, query, 4u)).values[0] = threshold;
  if (!decides || p.estimated == 0u) return;
  FloatsOut bounds = FloatsOut(advance(p.query_bounds, query, 32u));
  bounds.values[3] = float(screen_estimated);
  bounds.values[7] = threshold;
}

void count_bounds(uint count) {
  for (uint next = gl_WorkGroupID.x; next < count; next += gl_NumWorkGroups.x) {
    const uint query = min(next, max(count, 1u) - 1u);
    FloatsIn bounds = FloatsIn(advance_elements(p.lower_bounds, query, p.groups));
    counting_begin();
    do {
      counting_next();
      for (uint i = gl_LocalInvocationID.x; i < p.groups; i += WORKGROUP_SIZE)
        counting_add(distance_key(bounds.values[i], true));
    } while (!counting_narrow(p.rank, p.rank / 16u));
    if (gl_LocalInvocationID.x == 0u) write_threshold(query, distance_of_key(counting_key, true));
    barrier();
  }
}

void main() {
  if (COUNTS) {
    count_bounds(selected_count(p.selected, p.first_selected, p.query_count, p.lower_bounds));
    return;
  }
  const uint groups = folded_groups();
  const uint thread = gl_LocalInvocationID.x;
  const uint count = selected_count(p.selected, p.first_selected, p.query_count, p.lower_bounds);
  for (uint next = gl_WorkGroupID.x; next < count; next += gl_NumWorkGroups.x) {
    const uint query = min(next, max(count, 1u) - 1u);
    FloatsIn bounds = FloatsIn(advance_elements(p.lower_bounds, query, p.groups));
    uint kept = 0u, low = 0xFFFFFFFFu, high = 0u;
    for (uint first = 0u; first < groups;) {
      const uint more = min(groups - first, KTH_ROOM - kept);
      for (uint i = thread; i < more; i += WORKGROUP_SIZE) {
        const uint key = distance_key(folded_bound(bounds, first + i, groups), true);
        kth_keys[kept + i] = key;
        low = min(low, key);
        high = max(high, key);
      }
      first += more;
      if (groups <= KTH_ROOM) break;
      kth_reduce(kept + more);
      kept = KTH_RUN;
    }
    // Where all keys are here they need not be sorted.
    key_count = groups;
    uint key;
    if (groups <= KTH_ROOM)
      key = select_key(p.rank, p.rank / 16u, low, high, groups);
    else
      key = kth_keys[p.rank - 1u];
    if (thread == 0u) write_threshold(query, distance_of_key(key, true));
    barrier();
  }
}
