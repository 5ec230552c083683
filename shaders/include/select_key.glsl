// A key among the smallest of many 32-bit keys, by one workgroup, any subgroup size: the range that it lies in is halved, and the keys up
// to the middle are counted, until few enough are left. The keys may lie anywhere: how many of an invocation's are not above a limit says
// own_keys_up_to(limit), behind which this is included.
//
// All calls are made by the whole workgroup together.
#ifndef PROXEL_SELECT_KEY_GLSL
#define PROXEL_SELECT_KEY_GLSL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "workgroup.glsl"

// Three counts take turns, so that one barrier is enough for each.
shared uint selecting_counts[3];
shared uint selecting_low;
shared uint selecting_high;

// A key that at least k keys do not exceed, and at most k + slack unless keys are equal.
// @param low, high  the smallest and the largest of this invocation's keys; above each other where it has none
uint select_key(uint k, uint slack, uint low, uint high) {
  const bool first = gl_LocalInvocationID.x == 0u;
  // Keys that were stored just now are there behind this, and what the call before has found has been read.
  barrier();
  if (first) {
    selecting_low = 0xFFFFFFFFu;
    selecting_high = selecting_counts[0] = 0u;
  }
  barrier();
  low = subgroupMin(low);
  high = subgroupMax(high);
  if (subgroupElect()) {
    atomicMin(selecting_low, low);
    atomicMax(selecting_high, high);
  }
  barrier();
  low = selecting_low;
  high = selecting_high;
  uint turn = 0u;
  while (low < high) {
    const uint middle = low + (high - low) / 2u;
    const uint next_turn = turn == 2u ? 0u : turn + 1u;
    const uint own = subgroupAdd(own_keys_up_to(middle));
    if (subgroupElect()) atomicAdd(selecting_counts[turn], own);
    if (first) selecting_counts[next_turn] = 0u;
    barrier();
    const uint held = selecting_counts[turn];
    turn = next_turn;
    if (held < k) {
      low = middle + 1u;
      continue;
    }
    high = middle;
    if (held <= k + slack) break;
  }
  return high;
}

#endif
