#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "prefix_sums.glsl"
#include "proxel/passes/radix_scan.h"

layout(push_constant, std430) uniform Push { RadixScanParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counts { uint values[]; };

void main() {
  const uint thread = gl_LocalInvocationID.x;
  if (gl_NumWorkGroups.x == 1u) {
    for (uint d = thread; d < p.digits; d += WORKGROUP_SIZE) {
      const uint digit = gl_WorkGroupID.y * p.digits + d;
      Counts of_digit = Counts(advance_elements(p.counts, digit, p.tiles));
      uint sum = 0u;
      for (uint tile = 0u; tile < p.tiles; ++tile) {
        const uint count = of_digit.values[tile];
        of_digit.values[tile] = sum;
        sum += count;
      }
      UintsOut(advance(p.totals, digit, 4u)).values[0] = sum;
    }
    return;
  }
  const uint item = gl_WorkGroupID.y * p.digits + gl_WorkGroupID.x;
  Counts counts = Counts(advance_elements(p.counts, item, p.tiles));
  uint before = 0u;
  for (uint first = 0u; first < p.tiles; first += WORKGROUP_SIZE) {
    const uint tile = first + thread;
    const uint count = tile < p.tiles ? counts.values[tile] : 0u;
    uint all;
    const uint sum = before + sum_before(count, all);
    if (tile < p.tiles) counts.values[tile] = sum;
    before += all;
  }
  if (thread == 0u) UintsOut(advance(p.totals, item, 4u)).values[0] = before;
}
