#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "screen_bounds.glsl"
#include "proxel/passes/screen_threshold.h"

layout(constant_id = 1) const uint LIST_LENGTH = 128u;
#define PROXEL_POOL_LENGTH LIST_LENGTH
#include "block_select.glsl"

layout(push_constant, std430) uniform Push { ScreenThresholdParameters p; };

void main() {
  const uint thread = gl_LocalInvocationID.x;
  for (uint query = gl_WorkGroupID.x; query < p.query_count; query += gl_NumWorkGroups.x) {
    FloatsIn bounds = FloatsIn(advance_elements(p.lower_bounds, query, p.groups));
    select_begin(p.k);
    for (uint base = 0u; base < p.groups; base += 4u * WORKGROUP_SIZE) {
      uvec2 keys[4];
      [[unroll]] for (uint j = 0u; j < 4u; ++j) {
        const uint group = base + j * WORKGROUP_SIZE + thread;
        keys[j] = group < p.groups ? uvec2(distance_key(bounds.values[group], true), group) : no_row;
      }
      select_offer(keys);
    }
    select_finish();
    if (thread == 0u) {
      const QueryBounds own = query_bounds_at(p.query_bounds, query);
      const float lower_bound = distance_of_key(pool[p.k - 1u].x, true);
      const bool decides = own.error.w != 0.0 && lower_bound >= least_certifying_bound;
      FloatsOut(advance(p.thresholds, query, 4u)).values[0] =
          decides ? screening_threshold(own.slacks, lower_bound) : infinity;
    }
    barrier();
  }
}
