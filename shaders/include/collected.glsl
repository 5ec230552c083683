// The rows that screen_tiles or screen_canonical collected for a query. Included behind the push constants `p` of
// screen_refine or screen_survivors.
#ifndef PROXEL_COLLECTED_GLSL
#define PROXEL_COLLECTED_GLSL
#include "screen_bounds.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Found { uvec2 values[]; };

QueryBounds bounds;
uint slot;  // of the lists

float error_of(uint row) {
  if (is_null(p.row_bounds)) return 0.0;
  return score_error(bounds.error, Float4sIn(advance(p.row_bounds, row / tile_rows, 16u)).values[0]);
}

Found list_of(uint split) {
  return Found(advance_keys(p.found, slot * p.splits + split, p.capacity));
}

// How many rows were collected; fewer than none where a list overflowed.
int collected_rows(UintsIn counts) {
  int collected = 0;
  for (uint split = 0u; split < p.splits; ++split) {
    const uint count = counts.values[split];
    if (count > p.capacity) return -1;
    collected += int(count);
  }
  return collected;
}

#endif
