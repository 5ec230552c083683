// The canonical distance to a row that screening left, as screen_refine and screen_survivors evaluate it. Behind ELEMENT.
#ifndef PROXEL_SCREENED_ROW_GLSL
#define PROXEL_SCREENED_ROW_GLSL
#include "canonical_row.glsl"
#include "screen_operand.glsl"
#include "proxel/passes/screen_integers.h"

// Of an operand of screen_integers.
float packed_row(FloatsIn query, uvec2 operand, uint row, uint dimensions) {
  const uint blocks = (dimensions - 1u) / screen_block_integers + 1u;
  Uint4sIn chunks = Uint4sIn(operand_tile(operand, row / tile_rows, blocks));
  const int origin = ELEMENT == element_uint8 ? 128 : 0;
  const uint together = 16u;
  float s = 0.0;
  for (uint first = 0u; first < dimensions; first += together) {
    const uvec4 words = chunks.values[operand_chunk(row % tile_rows, first / together)];
    [[unroll]] for (uint i = 0u; i < together; ++i) {
      if (first + i >= dimensions) break;
      const int x = bitfieldExtract(int(words[i / 4u]), int(8u * (i % 4u)), 8) + origin;
      s = canonical_step(s, query.values[first + i], float(x));
    }
  }
  return s;
}

float screened_row(FloatsIn query, Rows rows, uint row, uint dimensions) {
  if (ELEMENT == element_float32) return canonical_row(query, rows, row, dimensions);
  return packed_row(query, rows.address, row, dimensions);
}

#endif
