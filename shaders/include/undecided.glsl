// Which queries scan_undecided and merge_undecided serve, and how they share
// the lists (proxel/passes/scan_undecided.h).
#ifndef PROXEL_UNDECIDED_GLSL
#define PROXEL_UNDECIDED_GLSL
#include "address.glsl"

uint undecided_count(uvec2 undecided, uint first, uint lists) {
  const uint all = UintsIn(undecided).values[0];
  return min(all > first ? all - first : 0u, lists);
}
uint lists_of_each(uint count, uint lists, uint most_groups) {
  return clamp(lists / max(count, 1u), 1u, most_groups);
}
// Entry first + i of the list, where i is below `count`, which may be 0.
uint undecided_query(uvec2 undecided, uint first, uint i, uint count) {
  const uint query = UintsIn(undecided).values[4u + first + min(i, max(count, 1u) - 1u)];
  return count != 0u ? query : 0u;
}

#endif
