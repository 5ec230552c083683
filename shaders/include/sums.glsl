// Sums over the invocations of a workgroup that come before one, any subgroup size.
#ifndef PROXEL_SUMS_GLSL
#define PROXEL_SUMS_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "workgroup.glsl"

shared uint subgroup_sums[2][WORKGROUP_SIZE / 4u];  // no subgroup is smaller

// How many invocations a subgroup has: not gl_SubgroupSize where a driver runs narrower ones than it says, or a workgroup is smaller.
uint subgroup_width() { return subgroupMax(gl_SubgroupInvocationID) + 1u; }

// The invocations' order: subgroup after subgroup.
uint place_in_order() { return gl_SubgroupID * subgroup_width() + gl_SubgroupInvocationID; }

// The sums of a number of all invocations: of those before this one, and of all. One
// barrier; the subgroups of a turn, 0 or 1, are in use until the next.
uvec2 sums_of(uint number, uint turn) {
  const uint through = subgroupInclusiveAdd(number);
  if (gl_SubgroupInvocationID + 1u == subgroup_width()) subgroup_sums[turn][gl_SubgroupID] = through;
  barrier();
  uint before = through - number;
  uint all = 0u;
  for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    if (i < gl_SubgroupID) before += subgroup_sums[turn][i];
    all += subgroup_sums[turn][i];
  }
  return uvec2(before, all);
}

#endif
