#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"
#include "proxel/passes/quick_multi_select_workgroup.h"

layout(push_constant, std430) uniform Push { QuickMultiSelectParameters p; };

const uint TEAMS = 1u;
const uint SEGMENTS = quick_multi_select_segments;
const uint team_index = 0u;
const uint team_width = WORKGROUP_SIZE;
uint team_lane;

// Keys of each subgroup and segment that go left (low half) and right; after
// the summation, of those before it. The last holds the sums.
shared uint subgroup_counts[SEGMENTS * WORKGROUP_SIZE + 1u];

void team_barrier() {
  memoryBarrierBuffer();
  barrier();
}

uvec2 halves(uint counts) { return uvec2(counts & 0xFFFFu, counts >> 16); }

uvec2 team_place(bool left[SEGMENTS], bool right[SEGMENTS], out uint slots[SEGMENTS]) {
  [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j) {
    const uvec4 lefts = subgroupBallot(left[j]);
    const uvec4 rights = subgroupBallot(right[j]);
    slots[j] = left[j] ? subgroupBallotExclusiveBitCount(lefts)
                       : subgroupBallotExclusiveBitCount(rights);
    if (subgroupElect())
      subgroup_counts[j * gl_NumSubgroups + gl_SubgroupID] =
          subgroupBallotBitCount(lefts) | subgroupBallotBitCount(rights) << 16;
  }
  barrier();
  const uint counted = SEGMENTS * gl_NumSubgroups;
  if (team_lane == 0u) {
    uint sum = 0u;
    for (uint i = 0u; i < counted; ++i) {
      const uint counts = subgroup_counts[i];
      subgroup_counts[i] = sum;
      sum += counts;
    }
    subgroup_counts[counted] = sum;
  }
  barrier();
  [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j) {
    const uvec2 before = halves(subgroup_counts[j * gl_NumSubgroups + gl_SubgroupID]);
    slots[j] += left[j] ? before.x : before.y;
  }
  return halves(subgroup_counts[counted]);
}

#include "quick_multi_select.glsl"

void main() {
  team_lane = gl_LocalInvocationID.x;
  for (uint number = gl_WorkGroupID.x; number < p.rows; number += gl_NumWorkGroups.x)
    select_row(number, gl_WorkGroupID.x);
}
