// A key among the smallest of many 32-bit keys, by one workgroup, any subgroup size: the range that it lies in is halved, and keys are
// counted, until few enough are left. The keys may lie anywhere: how many of an invocation's are not above a limit says
// own_keys_up_to(limit), behind which this is included.
//
// All calls are made by the whole workgroup together.
#ifndef PROXEL_SELECT_KEY_GLSL
#define PROXEL_SELECT_KEY_GLSL
#include "key_range.glsl"
#include "reductions.glsl"

// A key that at least k keys do not exceed, and at most k + slack unless keys are equal.
// @param low, high  the smallest and the largest of this invocation's keys; above each other where it has none
// @param count      how many keys there are
uint select_key(uint k, uint slack, uint low, uint high, uint count) {
  // Keys that were stored just now are there behind this, and what the call before has found has been read.
  barrier();
  reductions_begin();
  const uvec2 ends = workgroup_range(low, high);
  KeyRange range = key_range(ends.x, ends.y, count, false);
  while (range.low < range.high) {
    const uint middle = key_range_middle(range, min(k + slack / 2u, range.reached));
    const uint held = workgroup_total(own_keys_up_to(middle));
    key_range_narrow(range, middle, held, k);
    if (held >= k && held <= k + slack) break;
  }
  return range.high;
}

#endif
