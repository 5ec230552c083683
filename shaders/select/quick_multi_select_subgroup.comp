#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "proxel/passes/quick_multi_select_subgroup.h"
PROXEL_QUICK_MULTI_SELECT_SUBGROUP_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "order.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push { QuickMultiSelectParameters p; };

const uint SEGMENTS = quick_multi_select_segments;
// A device may run subgroups with fewer invocations than it says; lanes are
// counted, so that none is missed.
uint team_index;
uint team_lane;
uint team_width;

void team_barrier() { subgroupBarrier(); }

uvec2 team_place(bool left[SEGMENTS], bool right[SEGMENTS], out uint slots[SEGMENTS]) {
  uvec2 counts = uvec2(0u);
  [[unroll]] for (uint j = 0u; j < SEGMENTS; ++j) {
    const uvec4 lefts = subgroupBallot(left[j]);
    const uvec4 rights = subgroupBallot(right[j]);
    slots[j] = left[j] ? counts.x + subgroupBallotExclusiveBitCount(lefts)
                       : counts.y + subgroupBallotExclusiveBitCount(rights);
    counts += uvec2(subgroupBallotBitCount(lefts), subgroupBallotBitCount(rights));
  }
  return counts;
}

#include "quick_multi_select.glsl"

void main() {
  const uvec4 present = subgroupBallot(true);
  team_index = gl_SubgroupID;
  team_lane = subgroupBallotExclusiveBitCount(present);
  team_width = subgroupBallotBitCount(present);
  const uint teams = min(gl_NumSubgroups, TEAMS);
  if (team_index >= teams) return;
  for (uint number = gl_WorkGroupID.x * teams + team_index; number < p.rows;
       number += gl_NumWorkGroups.x * teams)
    select_row(number, gl_WorkGroupID.x * TEAMS + team_index);
}
