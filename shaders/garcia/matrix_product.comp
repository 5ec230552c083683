#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/matrix_product.h"
PROXEL_MATRIX_PRODUCT_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"

// One rounding for product and sum where the device has that; nothing that is
// returned is computed here.
#define PROXEL_TILE_STEP(dimension, sum, query, row) fma(query, row, sum)
#include "tile_product.glsl"

layout(push_constant, std430) uniform Push { MatrixProductParameters p; };

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Float4sOut { vec4 values[]; };

uvec2 element_address(uint query, uint row) {
  return advance_elements(advance_elements(p.matrix, query, p.query_pitch), row, p.row_pitch);
}

// Four elements side by side, of which the first `count` exist.
void write_four(uvec2 address, vec4 four, uint count) {
  four *= p.alpha;
  if (count >= 4u) {
    Float4sOut(address).values[0] = four;
    return;
  }
  [[unroll]] for (uint i = 0u; i < 3u; ++i)
    if (i < count) FloatsOut(address).values[i] = four[i];
}

void main() {
  const uint column = gl_LocalInvocationID.x % WIDTH;
  const uint line = gl_LocalInvocationID.x / WIDTH;
  const uint first_query = gl_WorkGroupID.y * TILE;
  const uint tile_column = gl_WorkGroupID.x * TILE;
  accumulate_tile(p.rows, p.first_row + tile_column, p.first_row + p.row_count, p.queries,
                  p.query_stride, first_query, p.query_count, p.dimensions);

  // A thread's rows, and its queries, are two runs of four.
  [[unroll]] for (uint h = 0u; h < 2u; ++h) {
    const uint row = tile_column + tile_offset(column, 4u * h);
    [[unroll]] for (uint g = 0u; g < 2u; ++g) {
      const uint query = first_query + tile_offset(line, 4u * g);
      if (row >= p.row_count || query >= p.query_count) continue;
      [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        if (p.row_pitch == 1u) {
          if (query + i < p.query_count)
            write_four(element_address(query + i, row), accumulators[2u * (4u * g + i) + h],
                       p.row_count - row);
        } else if (row + i < p.row_count) {
          const vec4 four = vec4(accumulators[8u * g + h][i], accumulators[8u * g + 2u + h][i],
                                 accumulators[8u * g + 4u + h][i], accumulators[8u * g + 6u + h][i]);
          write_four(element_address(query, row + i), four, p.query_count - query);
        }
      }
    }
  }
}
