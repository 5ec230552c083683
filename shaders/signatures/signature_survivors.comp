#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/signature_survivors.h"

layout(push_constant, std430) uniform Push { SignatureSurvivorsParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Bounds { float values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counter { uint value; };

shared float largest[WORKGROUP_SIZE];
shared uint listed, begin;

// The largest square, at least 0.
float largest_square(FloatsIn squares) {
  float mine = 0.0;
  for (uint i = gl_LocalInvocationID.x; i < p.k; i += WORKGROUP_SIZE) mine = max(mine, squares.values[i]);
  largest[gl_LocalInvocationID.x] = mine;
  barrier();
  for (uint i = 0u; i < WORKGROUP_SIZE; ++i) mine = max(mine, largest[i]);
  return mine;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint query = gl_WorkGroupID.y;
  precise float limit = FloatsIn(p.limits).values[query];
  if (!is_null(p.squares)) {
    const float square = largest_square(FloatsIn(advance_elements(p.squares, query, p.k)));
    precise float some = square * 9.5367431640625e-07;  // 2^-20
    precise float more = square + some;
    limit = more + limit;
  }
  Bounds bounds = Bounds(advance_elements(p.bounds, query, p.bound_stride));
  UintsOut list = UintsOut(advance_elements(p.lists, query, p.bound_stride));
  for (uint first = gl_WorkGroupID.x * WORKGROUP_SIZE; first < p.objects; first += gl_NumWorkGroups.x * WORKGROUP_SIZE) {
    const uint object = first + lane;
    if (lane == 0u) listed = 0u;
    barrier();
    uint place = 0u;
    bool near = false;
    if (object < p.objects) {
      near = bounds.values[object] <= limit;
      if (near) place = atomicAdd(listed, 1u);
      else bounds.values[object] = uintBitsToFloat(0x7FC00000u);
    }
    barrier();
    if (lane == 0u && listed != 0u) begin = atomicAdd(Counter(advance(p.counts, query, 4u)).value, listed);
    barrier();
    if (near) list.values[begin + place] = object;
  }
}
