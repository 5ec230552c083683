#version 460
#extension GL_GOOGLE_include_directive : require
#include "matches.glsl"
#include "workgroup.glsl"
#include "proxel/passes/range_offsets.h"

layout(push_constant, std430) uniform Push { RangeOffsetsParameters p; };

// Counters that an invocation takes at a time.
const uint together = 8u;
shared uvec2 sums[WORKGROUP_SIZE];

void main() {
  const uint thread = gl_LocalInvocationID.x;
  UintsIn counters = UintsIn(p.counters);
  Numbers offsets = Numbers(p.offsets);
  uvec2 before = p.continues != 0u ? offsets.values[0] : uvec2(0u);
  if (thread == 0u) offsets.values[0] = before;
  for (uint base = 0u; base < p.queries; base += together * WORKGROUP_SIZE) {
    const uint first = base + together * thread;
    uvec2 own[together];
    uvec2 sum = uvec2(0u);
    [[unroll]] for (uint i = 0u; i < together; ++i) {
      if (first + i < p.queries) sum = number_sum(sum, uvec2(counters.values[first + i], 0u));
      own[i] = sum;
    }
    sums[thread] = sum;
    barrier();
    for (uint reach = 1u; reach < WORKGROUP_SIZE; reach *= 2u) {
      uvec2 other = uvec2(0u);
      if (thread >= reach) other = sums[thread - reach];
      barrier();
      sums[thread] = number_sum(sums[thread], other);
      barrier();
    }
    uvec2 start = before;
    if (thread != 0u) start = number_sum(before, sums[thread - 1u]);
    before = number_sum(before, sums[WORKGROUP_SIZE - 1u]);
    barrier();
    [[unroll]] for (uint i = 0u; i < together; ++i)
      if (first + i < p.queries) offsets.values[first + i + 1u] = number_sum(start, own[i]);
  }
}
