#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/tile_nearest.h"
PROXEL_TILE_NEAREST_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "tile_product.glsl"
#include "filter.glsl"

layout(push_constant, std430) uniform Push { TileNearestParameters p; };

shared uvec2 line_best[WIDTH * WIDTH];

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint column = thread % WIDTH;
  const uint line = thread / WIDTH;
  const uint first_query = gl_WorkGroupID.y * TILE;
  uint best_key[8], best_row[8];
  [[unroll]] for (uint j = 0u; j < 8u; ++j) best_key[j] = best_row[j] = 0xFFFFFFFFu;

  const uint row_tiles = (p.rows.count - 1u) / TILE + 1u;
  for (uint tile = gl_WorkGroupID.x; tile < row_tiles; tile += p.groups) {
    accumulate_tile(p.rows, tile * TILE, p.rows.count, p.queries, p.query_stride, first_query,
                    p.query_count, p.dimensions);
    const uint rows_left = p.rows.count - tile * TILE;
    const uint first = p.first_index + tile * TILE;
    [[unroll]] for (uint j = 0u; j < 8u; ++j)
      [[unroll]] for (uint h = 0u; h < 2u; ++h) {
        uint allowed = 15u;
        if (FILTERED != 0u && tile_offset(column, 4u * h) < rows_left) {
          const uint query = min(first_query + tile_offset(line, j), p.query_count - 1u);
          allowed = four_rows_allowed(filter_of_query(p.filter_bits, query, p.filter_stride),
                                      first + tile_offset(column, 4u * h),
                                      p.first_index + p.rows.count - 1u);
        }
        [[unroll]] for (uint c = 0u; c < 4u; ++c) {
          // A thread meets its rows in ascending order, so that only a smaller
          // distance replaces; the first row also replaces "no row" at NaN.
          const uint offset = tile_offset(column, 4u * h + c);
          const uint key = sum_key(accumulators[2u * j + h][c]);
          if (offset < rows_left && (allowed & (1u << c)) != 0u &&
              (key < best_key[j] || best_row[j] == 0xFFFFFFFFu)) {
            best_key[j] = key;
            best_row[j] = first + offset;
          }
        }
      }
  }

  [[unroll]] for (uint j = 0u; j < 8u; ++j) {
    const uvec2 best = uvec2(best_key[j], best_row[j]);
    line_best[thread] = best;
    barrier();
    const uint query = first_query + tile_offset(line, j);
    if (column == 0u && query < p.query_count) {
      uvec2 smallest = best;
      for (uint i = 1u; i < WIDTH; ++i) smallest = key_min(smallest, line_best[thread + i]);
      Keys(advance(p.lists, query, 8u * p.groups)).values[gl_WorkGroupID.x] = smallest.yx;
    }
    barrier();
  }
}
