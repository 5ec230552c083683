#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/signature_limits.h"

layout(push_constant, std430) uniform Push { SignatureLimitsParameters p; };

void main() {
  const uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
  for (uint query = gl_GlobalInvocationID.x; query < p.query_count; query += stride) {
    const float value = max(FloatsIn(advance(advance_elements(p.selected, query, p.k), p.k - 1u, 4u)).values[0], 0.0);
    precise float slack = value * 9.53674316e-07;
    precise float limit = (value + slack) + FloatsIn(p.margins).values[query];
    FloatsOut(p.limits).values[query] = limit;
  }
}
