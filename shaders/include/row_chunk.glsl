// Fours of a row in registers, read as a stream, and which of their keys do not exceed a bound.
#ifndef PROXEL_ROW_CHUNK_GLSL
#define PROXEL_ROW_CHUNK_GLSL
// Included behind the constant LARGEST_FIRST, where CHUNK_FOURS is defined, fours that each invocation reads at once.
#include "selection_rows.glsl"
#include "workgroup.glsl"

const uint CHUNK_STEP = CHUNK_FOURS * WORKGROUP_SIZE;  // fours of the workgroup
uvec4 chunk_bits[CHUNK_FOURS];

const uint last_number_key = 0xFF800000u;  // behind it come NaNs
const uint negative_zero_key = 0x7FFFFFFFu;

// @param start  the first four of the workgroup's
void read_row_chunk(uint start) {
  const uint mine = start + gl_LocalInvocationID.x;
  if (row_fills(start, CHUNK_STEP)) {
    [[unroll]] for (uint i = 0u; i < CHUNK_FOURS; ++i)
      chunk_bits[i] = Uint4sIn(row_address).values[mine + i * WORKGROUP_SIZE];
  } else {
    [[unroll]] for (uint i = 0u; i < CHUNK_FOURS; ++i) chunk_bits[i] = read_vector(mine + i * WORKGROUP_SIZE);
  }
}

// The key of an element of the chunk.
uvec2 row_chunk_key(uint start, uint i, uint element) {
  return uvec2(distance_key(uintBitsToFloat(chunk_bits[i][element]), LARGEST_FIRST),
               column_of(start + i * WORKGROUP_SIZE + gl_LocalInvocationID.x, element));
}

// A bit for each key of the chunk up to a bound.
uint row_chunk_up_to(uvec2 bound, uint start) {
  // Of values that equal the bound's, those up to its column: where it is not of the chunk, all or none.
  if (bound.x < first_number) return 0u;
  const bool beyond_numbers = bound.x > last_number_key;
  const uint bound_four = bound.y / 4u + (bound.y % 4u + row_skip) / 4u;
  const bool holds_bound = beyond_numbers || (bound_four >= start && bound_four - start < CHUNK_STEP);
  uint word = bound.x;
  if (!holds_bound && bound_four < start) {
    if (word <= first_number) return 0u;
    --word;
  }
  // The order key of -0 stands beside the distance key of zeros.
  if (word == negative_zero_key) word = LARGEST_FIRST ? 0x80000000u : 0x7FFFFFFEu;
  const uint limit = beyond_numbers ? 0xFFFFFFFFu : word - first_number;
  uint least = 0xFFFFFFFFu;
  [[unroll]] for (uint i = 0u; i < CHUNK_FOURS; ++i)
    [[unroll]] for (uint e = 0u; e < 4u; ++e) least = min(least, order_key(chunk_bits[i][e]) - first_number);
  if (least > limit) return 0u;
  uint chosen = 0u;
  [[unroll]] for (uint i = 0u; i < CHUNK_FOURS; ++i)
    [[unroll]] for (uint e = 0u; e < 4u; ++e)
      chosen |= uint(order_key(chunk_bits[i][e]) - first_number <= limit) << (4u * i + e);
  if (holds_bound) {
    [[unroll]] for (uint i = 0u; i < CHUNK_FOURS; ++i)
      [[unroll]] for (uint e = 0u; e < 4u; ++e) {
        const uvec2 key = row_chunk_key(start, i, e);
        if (key.y == 0xFFFFFFFFu || key_less(bound, key)) chosen &= ~(1u << (4u * i + e));
      }
  }
  return chosen;
}

#endif
