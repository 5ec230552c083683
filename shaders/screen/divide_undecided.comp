#version 460
#extension GL_GOOGLE_include_directive : require
#include "workgroup.glsl"
#include "filter.glsl"
#include "proxel/passes/divide_undecided.h"

layout(push_constant, std430) uniform Push { DivideUndecidedParameters p; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Uints { uint values[]; };

shared uint allowed_rows;

// Leaves in allowed_rows how many a filter allows.
void count_allowed(uvec2 filter_bits) {
  if (gl_LocalInvocationID.x == 0u) allowed_rows = 0u;
  barrier();
  const uint last = (p.row_count - 1u) / 32u;
  uint own = 0u;
  for (uint word = gl_LocalInvocationID.x; word <= last; word += WORKGROUP_SIZE) {
    const uint bits = UintsIn(filter_bits).values[min(word, last)];
    own += bitCount(word == last ? bits & 0xFFFFFFFFu >> (31u - (p.row_count - 1u) % 32u) : bits);
  }
  if (own != 0u) atomicAdd(allowed_rows, own);
  barrier();
}

void main() {
  const uint count = UintsIn(p.undecided).values[0];
  for (uint i = gl_WorkGroupID.x; i < count; i += gl_NumWorkGroups.x) {
    // Where there is none nothing is read by its number.
    const uint number = UintsIn(p.undecided).values[4u + min(i, max(count, 1u) - 1u)];
    const uint query = count != 0u ? number : 0u;
    // A filter that all share is counted once.
    if (i == gl_WorkGroupID.x || p.filter_stride != 0u)
      count_allowed(filter_of_query(p.filter_bits, query, p.filter_stride));
    if (gl_LocalInvocationID.x == 0u) {
      if (allowed_rows <= p.most) {
        Uints sparse = Uints(p.sparse);
        sparse.values[4u + atomicAdd(sparse.values[0], 1u)] = query;
        atomicAdd(Uints(p.others).values[1], 1u);
      } else {
        Uints others = Uints(p.others);
        others.values[4u + atomicAdd(others.values[0], 1u)] = query;
      }
    }
    barrier();
  }
}
