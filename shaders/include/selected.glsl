// Queries chosen on the device: a list of their numbers behind four words, the
// first of which counts them (proxel/passes/screen_refine.h). Slot i stands for
// entry first + i; without a list slot i is query i.
#ifndef PROXEL_SELECTED_GLSL
#define PROXEL_SELECTED_GLSL
#include "address.glsl"

uint selected_count(uvec2 list, uint first, uint slots) {
  if (is_null(list)) return slots;
  const uint all = UintsIn(list).values[0];
  return all > first ? min(all - first, slots) : 0u;
}
uint selected_query(uvec2 list, uint first, uint slot) {
  return is_null(list) ? slot : UintsIn(list).values[4u + first + slot];
}

#endif
