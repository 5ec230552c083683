// Sixteen invocations for each query, where passes that pack queries have workgroups of 128 (screen_query_workgroups). All invocations of a
// workgroup call what is here together.
#ifndef PROXEL_QUERY_TEAM_GLSL
#define PROXEL_QUERY_TEAM_GLSL
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/screen_pack.h"

// A workgroup has as many invocations as a tile has queries.
const uint team_size = screen_query_workgroups;
shared vec4 team_values[tile_rows];
shared uint team_words[tile_rows];

uint team_lane() { return gl_LocalInvocationID.x % team_size; }
// Of the tile's queries the one that this invocation has a part of.
uint team_query() { return gl_WorkGroupID.y * (WORKGROUP_SIZE / team_size) + gl_LocalInvocationID.x / team_size; }

// Makes words 0; all workgroups of the grid have a share of them.
void zero_words(uvec2 address, uint words) {
  const uint workgroup = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * WORKGROUP_SIZE;
  UintsOut zeroed = UintsOut(address);
  for (uint i = workgroup * WORKGROUP_SIZE + gl_LocalInvocationID.x; i < words; i += stride) zeroed.values[i] = 0u;
}

// What is not finite in any invocation makes a sum so.
vec4 team_sum(vec4 own) {
  const uint thread = gl_LocalInvocationID.x;
  barrier();
  team_values[thread] = own;
  for (uint stride = team_size / 2u; stride != 0u; stride /= 2u) {
    barrier();
    if (team_lane() < stride) team_values[thread] += team_values[thread + stride];
  }
  barrier();
  return team_values[thread - team_lane()];
}

// Of bits: those of numbers that are not negative are in their order, with what is not finite behind them.
uint team_largest(uint own) {
  const uint thread = gl_LocalInvocationID.x;
  barrier();
  team_words[thread] = own;
  for (uint stride = team_size / 2u; stride != 0u; stride /= 2u) {
    barrier();
    if (team_lane() < stride) team_words[thread] = max(team_words[thread], team_words[thread + stride]);
  }
  barrier();
  return team_words[thread - team_lane()];
}
float team_largest(float own) { return uintBitsToFloat(team_largest(floatBitsToUint(own))); }

#endif
