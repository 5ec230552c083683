// Which queries scan_undecided serves (proxel/passes/scan_undecided.h).
#ifndef PROXEL_UNDECIDED_GLSL
#define PROXEL_UNDECIDED_GLSL
#include "address.glsl"

struct UndecidedQueries {
  uvec2 few, rest;  // lists
  uint of_few;      // queries that are served of the first
  uint first;       // of both lists
  uint count;       // that are served
};

// @param few  another list, of which the first most_few are served before those of `undecided`; address 0: none
UndecidedQueries undecided_of(uvec2 undecided, uvec2 few, uint most_few, uint first, uint lists) {
  const bool given = !is_null(few);
  UndecidedQueries of;
  of.few = readable(given, few, undecided);
  of.rest = undecided;
  const uint few_count = min(UintsIn(of.few).values[0], most_few);
  of.of_few = given ? few_count : 0u;
  of.first = first;
  const uint all = of.of_few + UintsIn(undecided).values[0];
  of.count = min(all > first ? all - first : 0u, lists);
  return of;
}
// The i-th that is served, where i is below `count`, which may be 0.
uint undecided_query(UndecidedQueries of, uint i) {
  const uint entry = of.first + min(i, max(of.count, 1u) - 1u);
  // Both are read, as Mesa 26's compiler crashes where an address is chosen here.
  const uint few = UintsIn(of.few).values[4u + min(entry, max(of.of_few, 1u) - 1u)];
  const uint other = UintsIn(of.rest).values[4u + entry - min(entry, of.of_few)];
  const uint query = entry < of.of_few ? few : other;
  return of.count != 0u ? query : 0u;
}

#endif
