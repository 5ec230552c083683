#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_threshold.h"
PROXEL_SCREEN_THRESHOLD_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "order.glsl"
#include "screen_bounds.glsl"
#include "selected.glsl"

#include "kth_smallest.glsl"

layout(push_constant, std430) uniform Push { ScreenThresholdParameters p; };

// Groups left when as many count as one as do no harm: a few times k.
uint folded_groups() {
  const uint wanted = p.k < 64u ? 256u : min(4u * p.k, screen_most_groups);
  return (p.groups - 1u) / max(p.groups / wanted, 1u) + 1u;
}

void main() {
  const uint groups = folded_groups();
  const uint thread = gl_LocalInvocationID.x;
  const uint count = selected_count(p.selected, p.first_selected, p.query_count, p.lower_bounds);
  for (uint next = gl_WorkGroupID.x; next < count; next += gl_NumWorkGroups.x) {
    const uint query = min(next, max(count, 1u) - 1u);
    FloatsIn bounds = FloatsIn(advance_elements(p.lower_bounds, query, p.groups));
    uint kept = 0u;
    for (uint first = 0u; first < groups;) {
      const uint more = min(groups - first, KTH_ROOM - kept);
      for (uint i = thread; i < more; i += WORKGROUP_SIZE) {
        float best = bounds.values[first + i];
        for (uint other = first + i + groups; other < p.groups; other += groups)
          best = max(best, bounds.values[other]);
        kth_keys[kept + i] = distance_key(best, true);
      }
      kth_reduce(kept + more);
      first += more;
      kept = KTH_RUN;
    }
    if (thread == 0u) {
      const QueryBounds own = query_bounds_at(p.query_bounds, query, p.lower_bounds);
      const float lower_bound = distance_of_key(kth_keys[p.k - 1u], true);
      const bool decides = own.error.w != 0.0 && lower_bound >= least_certifying_bound;
      FloatsOut(advance(p.thresholds, query, 4u)).values[0] =
          decides ? screening_threshold(own.slacks, lower_bound) : infinity;
    }
    barrier();
  }
}
