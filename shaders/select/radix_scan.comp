#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/radix_scan.h"

layout(push_constant, std430) uniform Push { RadixScanParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counts { uint values[]; };

shared uint sums[WORKGROUP_SIZE];

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
    uint sum = count;
    sums[thread] = sum;
    barrier();
    for (uint distance = 1u; distance < WORKGROUP_SIZE; distance *= 2u) {
      if (thread >= distance) sum += sums[thread - distance];
      barrier();
      sums[thread] = sum;
      barrier();
    }
    if (tile < p.tiles) counts.values[tile] = before + sum - count;
    before += sums[WORKGROUP_SIZE - 1u];
    barrier();
  }
  if (thread == 0u) UintsOut(advance(p.totals, item, 4u)).values[0] = before;
}
