#version 460
#extension GL_GOOGLE_include_directive : require
#include "workgroup.glsl"
#include "screen_bounds.glsl"
#include "proxel/passes/screen_bound.h"

layout(push_constant, std430) uniform Push { ScreenBoundParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float values[]; };

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  const bool scaled = !is_null(p.frame);
  const float of_frame = FloatsIn(readable(scaled, p.frame, p.bounds)).values[0];
  const float scale = scaled ? of_frame : 1.0;
  for (uint query = gl_GlobalInvocationID.x; query < p.query_count; query += stride) {
    const QueryBounds own = query_bounds_at(p.query_bounds, query, p.query_bounds);
    const float known = FloatsIn(advance(p.bounds, query, 4u)).values[0];
    const float reach = 0.5 * scale * scale * known * (1.0 + own.slacks.y);
    // The stored half is rounded up.
    const float half_norm = own.slacks.x * (2.0 - norm_rounding(p.dimensions) - two_to_minus_20);
    const float threshold = half_norm - reach - own.slacks.z - two_to_minus_20 * (own.slacks.x + reach);
    Floats of_query = Floats(advance(p.thresholds, query, 4u));
    if (p.alone != 0u) of_query.values[0] = infinity;
    if (own.error.w == 0.0 || !(known >= 0.0) || !is_finite(known) || !(threshold >= least_certifying_bound)) continue;
    const float sampled = p.alone != 0u ? infinity : of_query.values[0];
    if (is_finite(sampled) && sampled >= threshold) continue;
    of_query.values[0] = threshold;
    FloatsOut(advance(p.query_bounds, query, 32u)).values[3] = float(screen_bounded);
  }
}
