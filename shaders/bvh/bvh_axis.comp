#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/passes/bvh_axis.h"

layout(push_constant, std430) uniform Push { BvhAxisParameters p; };

void main() {
  // No row has the number 2^32 - 1, so that numbers do not wrap before the last tile.
  const uint tiles = (p.rows.count - 1u) / WORKGROUP_SIZE + 1u;
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
    const uint row = tile * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    if (row < p.rows.count)
      UintsOut(advance(p.values, row, 4u)).values[0] =
          UintsIn(tile_address(p.rows, row / tile_rows))
              .values[p.dimension * p.rows.dimension_stride + (row % tile_rows) * p.rows.row_stride];
  }
}
