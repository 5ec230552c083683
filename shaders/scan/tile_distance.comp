#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/tile_distance.h"
PROXEL_TILE_DISTANCE_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "tile_product.glsl"

layout(push_constant, std430) uniform Push { TileDistanceParameters p; };

void main() {
  const uint column = gl_LocalInvocationID.x % WIDTH;
  const uint line = gl_LocalInvocationID.x / WIDTH;
  const uint first_query = gl_WorkGroupID.y * TILE;
  const uint tile_column = gl_WorkGroupID.x * TILE;
  accumulate_tile(p.rows, p.first_row + tile_column, p.first_row + p.row_count, p.queries,
                  p.query_stride, first_query, p.query_count, p.dimensions);

  [[unroll]] for (uint j = 0u; j < 8u; ++j) {
    const uint query = first_query + tile_offset(line, j);
    if (query >= p.query_count) continue;
    const uvec2 out_row = advance_elements(p.keys, query, p.keys_stride);
    [[unroll]] for (uint h = 0u; h < 2u; ++h) {
      const uint first = tile_column + tile_offset(column, 4u * h);
      uvec4 keys;
      [[unroll]] for (uint c = 0u; c < 4u; ++c)
        keys[c] = sum_key(accumulators[2u * j + h][c]);
      if (first + 4u <= p.row_count) {
        Uint4sOut(out_row).values[first / 4u] = keys;
      } else {
        [[unroll]] for (uint c = 0u; c < 4u; ++c)
          if (first + c < p.row_count) UintsOut(out_row).values[first + c] = keys[c];
      }
    }
  }
}
