#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/signature_terms.h"
PROXEL_SIGNATURE_TERMS_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"
#include "signatures.glsl"

layout(push_constant, std430) uniform Push { SignatureTermsParameters p; };

shared uvec2 spans[WORKGROUP_SIZE];

void main() {
  const uint lane = gl_LocalInvocationID.x;
  UintsIn groups = UintsIn(p.groups);
  for (uint group = gl_WorkGroupID.x; group < p.group_count; group += gl_NumWorkGroups.x) {
    const uint number = min(group, p.group_count - 1u);
    const uint first = groups.values[number];
    const uint count = groups.values[number + 1u] - first;
    if (count == 0u) continue;
    barrier();  // the group before has been used
    if (lane < count) spans[lane] = span_of(p.signatures, first + lane);
    barrier();
    const uint begin = spans[0].x;
    const uint end = spans[count - 1u].x + spans[count - 1u].y;
    float_float own = float_float(0.0, 0.0);
    for (uint round = begin; round < end; round += WORKGROUP_SIZE) {
      const uint place = round + lane;
      if (place < end) {
        uint mine = 0u;
        while (mine + 1u < count && spans[mine + 1u].x <= place) ++mine;
        put_sum(query_sum(p.signatures, spans[min(mine, count - 1u)], coordinates_of(p.signatures, place), p.alpha),
                weight_of(p.signatures, place));
      }
      barrier();
      if (lane < count) {
        const uint from = max(spans[lane].x, round) - round;
        const uint to = min(spans[lane].x + spans[lane].y - round, WORKGROUP_SIZE);
        add_sums(own, from, to - from);
      }
      barrier();
    }
    if (lane < count) {
      FloatsOut terms = FloatsOut(advance(p.signatures.terms, first + lane, 16u));
      terms.values[0] = own.high;
      terms.values[1] = own.low;
    }
  }
}
