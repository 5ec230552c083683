// A key among the smallest of many 32-bit keys, by one workgroup, any subgroup size: the range that it lies in is halved, and the keys up
// to the middle are counted, until few enough are left. The keys may lie anywhere: how many of an invocation's are not above a limit says
// own_keys_up_to(limit), behind which this is included.
//
// All calls are made by the whole workgroup together.
#ifndef PROXEL_SELECT_KEY_GLSL
#define PROXEL_SELECT_KEY_GLSL
#include "reductions.glsl"

// A key that at least k keys do not exceed, and at most k + slack unless keys are equal.
// @param low, high  the smallest and the largest of this invocation's keys; above each other where it has none
uint select_key(uint k, uint slack, uint low, uint high) {
  // Keys that were stored just now are there behind this, and what the call before has found has been read.
  barrier();
  reductions_begin();
  const uvec2 range = workgroup_range(low, high);
  low = range.x;
  high = range.y;
  while (low < high) {
    const uint middle = low + (high - low) / 2u;
    const uint held = workgroup_total(own_keys_up_to(middle));
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
