#version 460
#extension GL_GOOGLE_include_directive : require
#include "workgroup.glsl"
#include "filter.glsl"
#include "screen_bounds.glsl"
#include "proxel/passes/screen_mask.h"

layout(push_constant, std430) uniform Push { ScreenMaskParameters p; };

void main() {
  // No row has the number 2^32 - 1, so that numbers of places do not wrap.
  const uint tiles = (p.row_count - 1u) / tile_rows + 1u;
  const uint number = gl_WorkGroupID.y;
  const uvec2 filter_bits = filter_of_query(p.filter_bits, number, (p.row_count - 1u) / 32u + 1u);
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x)
    for (uint i = gl_LocalInvocationID.x; i < tile_rows; i += WORKGROUP_SIZE) {
      const uint row = tile * tile_rows + i;
      uint bias = p.nothing;
      if (row < p.row_count && row_allowed(filter_bits, row))
        bias = UintsIn(advance(p.biases, row, 4u)).values[0];
      UintsOut(advance_elements(p.masked, number * tiles + tile, tile_rows)).values[i] = bias;
    }
}
