#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/screen_bound.h"
PROXEL_SCREEN_BOUND_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"
#include "screen_bounds.glsl"
#include "proxel/passes/screen_origin.h"

layout(push_constant, std430) uniform Push { ScreenBoundParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float values[]; };

const bool INNER_PRODUCT = METRIC == 3u;
const float two_to_minus_40 = two_to_minus_20 * two_to_minus_20;
const float two_to_minus_100 = two_to_minus_40 * two_to_minus_40 * two_to_minus_20;

float threshold_of_product(float scale, float known, uint query, vec4 slacks) {
  const bool framed = !is_null(p.frame);
  FloatsIn values = FloatsIn(advance(p.queries, query, p.dimensions * 4u));
  FloatsIn origins = FloatsIn(advance(readable(framed, p.frame, p.queries), framed ? screen_frame_origin : 0u, 4u));
  // What the query's products are more than its scores, and the sum of the magnitudes of what is added up for that.
  float offset = 0.0, magnitude = 0.0;
  for (uint i = 0u; i < p.dimensions; ++i) {
    const float of_frame = origins.values[i];
    const float q = scale * values.values[i];
    const float m = scale * (framed ? of_frame : float(p.origin));
    offset += q * m;
    magnitude += (abs(q) + two_to_minus_100) * (abs(m) + two_to_minus_100);
  }
  const float rounding = 2.0 * canonical_rounding(p.dimensions) * magnitude + norm_underflow(p.dimensions);
  const float product = scale * scale * known;
  return product - offset - slacks.z - rounding - two_to_minus_20 * (abs(product) + magnitude);
}

float threshold_of_distance(float scale, float known, vec4 slacks) {
  const float reach = 0.5 * scale * scale * known * (1.0 + slacks.y);
  // The stored half is rounded up.
  const float half_norm = slacks.x * (2.0 - norm_rounding(p.dimensions) - two_to_minus_20);
  return half_norm - reach - slacks.z - two_to_minus_20 * (slacks.x + reach);
}

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  const bool framed = !is_null(p.frame);
  const float of_frame = FloatsIn(readable(framed, p.frame, p.bounds)).values[0];
  const float scale = framed ? of_frame : 1.0;
  for (uint query = gl_GlobalInvocationID.x; query < p.query_count; query += stride) {
    const QueryBounds own = query_bounds_at(p.query_bounds, query, p.query_bounds);
    const float known = FloatsIn(advance(p.bounds, query, 4u)).values[0];
    Floats of_query = Floats(advance(p.thresholds, query, 4u));
    if (p.alone != 0u) of_query.values[0] = infinity;
    if (own.error.w == 0.0 || !is_finite(known) || (!INNER_PRODUCT && known < 0.0)) continue;
    const float threshold = INNER_PRODUCT ? threshold_of_product(scale, known, query, own.slacks)
                                          : threshold_of_distance(scale, known, own.slacks);
    if (!(threshold >= least_certifying_bound) || !is_finite(threshold)) continue;
    const float sampled = p.alone != 0u ? infinity : of_query.values[0];
    if (is_finite(sampled) && sampled >= threshold) continue;
    of_query.values[0] = threshold;
    FloatsOut(advance(p.query_bounds, query, 32u)).values[3] = float(screen_bounded);
  }
}
