// Queries chosen on the device: a list of their numbers behind four words, the
// first of which counts them (proxel/passes/screen_refine.h). Slot i stands for
// entry first + i; without a list slot i is query i.
#ifndef PROXEL_SELECTED_GLSL
#define PROXEL_SELECTED_GLSL
#include "address.glsl"

// @param other  an address that can be read
uint selected_count(uvec2 list, uint first, uint slots, uvec2 other) {
  const bool given = !is_null(list);
  const uint all = UintsIn(readable(given, list, other)).values[0];
  const uint left = all > first ? min(all - first, slots) : 0u;
  return given ? left : slots;
}
// Of a slot that all invocations share, below `count`, which may be 0 and is what selected_count() says.
uint selected_query_of_all(uvec2 list, uint first, uint slot, uint count, uvec2 other) {
  const bool given = !is_null(list);
  const uint own = min(slot, max(count, 1u) - 1u);
  const uint listed = UintsIn(readable(given, advance(list, 4u + first + own, 4u), other)).values[0];
  return count == 0u ? 0u : given ? listed : own;
}
// Of a slot of the invocation's own.
uint selected_query(uvec2 list, uint first, uint slot) {
  return is_null(list) ? slot : UintsIn(list).values[4u + first + slot];
}

#endif
