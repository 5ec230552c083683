#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/radix_count.h"
PROXEL_RADIX_COUNT_CONSTANTS(PROXEL_SPECIALISED)
#define RADIX_COUNTS
#include "radix.glsl"

layout(push_constant, std430) uniform Push { RadixCountParameters p; };

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y;
  const uint tiles = tile_count(p.source);
  const uint tile = tile_of_workgroup();
  if (tile >= tiles) return;
  for (uint d = thread; d < DIGITS; d += WORKGROUP_SIZE) counts[d] = 0u;
  open_source(p.rows, p.source, row);
  barrier();
  const uint first = tile * TILE + thread;
  const uint count = min(TILE, p.source.count - tile * TILE);
  uint digits[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    digits[i] = not_counted;
    if (i * WORKGROUP_SIZE + thread < count)
      digits[i] = source_digit(source_key(first + i * WORKGROUP_SIZE, LARGEST_FIRST));
  }
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) count_digit(digits[i]);
  count_digit(not_counted);
  barrier();
  const uvec2 of_row = advance(advance_elements(p.counts, row, p.digits * tiles), tile, 4u);
  for (uint d = thread; d < p.digits; d += WORKGROUP_SIZE)
    UintsOut(advance_elements(of_row, d, tiles)).values[0] = counts[d];
}
