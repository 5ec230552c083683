#version 460
#extension GL_GOOGLE_include_directive : require
#include "address.glsl"
#include "proxel/passes/tile_nearest.h"
#include "tile_product.glsl"

layout(push_constant, std430) uniform Push { TileNearestParameters p; };

shared uvec2 line_best[WIDTH * WIDTH];

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint column = thread % WIDTH;
  const uint line = thread / WIDTH;
  const uint first_query = gl_WorkGroupID.y * TILE;
  uvec2 best[8];
  [[unroll]] for (uint j = 0u; j < 8u; ++j) best[j] = no_row;

  const uint row_tiles = (p.rows.count - 1u) / TILE + 1u;
  for (uint tile = gl_WorkGroupID.x; tile < row_tiles; tile += p.groups) {
    accumulate_tile(p.rows, tile * TILE, p.rows.count, p.queries, p.query_stride, first_query,
                    p.query_count, p.dimensions);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {
      const uint row = tile * TILE + tile_offset(column, i);
      if (row < p.rows.count)
        [[unroll]] for (uint j = 0u; j < 8u; ++j)
          best[j] = key_min(best[j], uvec2(distance_key(accumulators[2u * j + i / 4u][i % 4u],
                                                        LARGEST_FIRST),
                                           p.first_index + row));
    }
  }

  [[unroll]] for (uint j = 0u; j < 8u; ++j) {
    line_best[thread] = best[j];
    barrier();
    const uint query = first_query + tile_offset(line, j);
    if (column == 0u && query < p.query_count) {
      uvec2 smallest = best[j];
      for (uint i = 1u; i < WIDTH; ++i) smallest = key_min(smallest, line_best[thread + i]);
      Keys(advance(p.lists, query, 8u * p.groups)).values[gl_WorkGroupID.x] = smallest.yx;
    }
    barrier();
  }
}
