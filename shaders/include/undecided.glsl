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
uint undecided_query(uvec2 undecided, uint i) { return UintsIn(undecided).values[4u + i]; }

#endif
