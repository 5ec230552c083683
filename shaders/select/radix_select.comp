#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/radix_select.h"
PROXEL_RADIX_SELECT_CONSTANTS(PROXEL_SPECIALISED)
#define RADIX_COUNTS
#include "radix.glsl"

layout(push_constant, std430) uniform Push { RadixSelectParameters p; };

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y;
  const uvec2 histograms = row_histograms(p.histograms, row);
  const uvec2 values = advance_elements(p.rows.values, row, p.rows.row_stride);
  const uint shift = 24u - 8u * p.round;
  for (uint d = thread; d < DIGITS; d += WORKGROUP_SIZE) counts[d] = 0u;
  const uint prefix = radix_prefix(histograms, p.round, p.k);
  barrier();
  const uint tiles = p.rows.columns / TILE + uint(p.rows.columns % TILE != 0u);
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
    const uint count = min(TILE, p.rows.columns - tile * TILE);
    FloatsIn of_tile = FloatsIn(advance(values, tile, 4u * TILE));
    float read[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
      const uint item = i * WORKGROUP_SIZE + thread;
      if (item < count) read[i] = of_tile.values[item];
    }
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i)
      if (i * WORKGROUP_SIZE + thread < count) {
        const uint key = distance_key(read[i], LARGEST_FIRST);
        if (p.round == 0u || key >> shift >> 8 == prefix)
          count_digit(key >> shift & (DIGITS - 1u));
      }
  }
  count_digit(not_counted);
  barrier();
  for (uint d = thread; d < DIGITS; d += WORKGROUP_SIZE)
    if (counts[d] != 0u) atomicAdd(Counts(histograms).values[p.round * DIGITS + d], counts[d]);
}
