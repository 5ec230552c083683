// Canonical distances of a query to rows here and there whose values are neighbours. Neighbouring invocations read neighbouring values,
// whole pieces of memory, and leave them in shared memory; there each invocation adds up one row, in the canonical order. An invocation
// that reads a row of its own asks for a part of a piece at a time, which takes the caches and the memory behind them longer.
//
// Included where STAGED, an array of uint in shared memory, and STAGED_WORDS, its length, are defined: of screen_staged_rows rows and a
// query at least. Of fewer rows than it has room for more dimensions are read at a time. The pass has, as functions:
//   uint staged_row(uint i): the number of row i
//   void staged_distance(uint i, float distance): takes its distance
#ifndef PROXEL_STAGED_ROWS_GLSL
#define PROXEL_STAGED_ROWS_GLSL
#include "canonical_row.glsl"
#include "proxel/passes/screen_refine.h"

// Rows of so many dimensions and what keeps the banks apart, and a query.
uint staged_words(uint rows, uint width) { return rows * (width + 1u) + width; }

uvec2 staged_address(Rows rows, uint i) {
  const uint row = staged_row(i);
  return advance(tile_address(rows, row / tile_rows), row % tile_rows, 4u * rows.row_stride);
}

// Brings dimensions first … first + width - 1 of all rows to shared memory. An invocation asks for several fours before it uses the first.
// @param width  a power of two; of dimensions from `whole` on anything is brought
void stage(FloatsIn query, Rows rows, uint first_row, uint count, uint first, uint width, uint whole) {
  const uint together = 8u;
  const uint thread = gl_LocalInvocationID.x, fours_of_row = width / 4u, shift = uint(findMSB(fours_of_row));
  const uint all = count << shift;
  for (uint begin = thread; begin < all; begin += together * WORKGROUP_SIZE) {
    vec4 fours[together];
    [[unroll]] for (uint j = 0u; j < together; ++j) {
      // Past the last the last is read again.
      const uint i = min(begin + j * WORKGROUP_SIZE, all - 1u), at = min(first + (i & (fours_of_row - 1u)) * 4u, whole - 4u);
      fours[j] = Float4sIn(staged_address(rows, first_row + (i >> shift))).values[at / 4u];
    }
    [[unroll]] for (uint j = 0u; j < together; ++j) {
      const uint i = begin + j * WORKGROUP_SIZE;
      const uint to = (i >> shift) * (width + 1u) + (i & (fours_of_row - 1u)) * 4u;
      if (i < all)
        [[unroll]] for (uint c = 0u; c < 4u; ++c) STAGED[to + c] = floatBitsToUint(fours[j][c]);
    }
  }
  for (uint i = thread; i < width; i += WORKGROUP_SIZE)
    STAGED[count * (width + 1u) + i] = floatBitsToUint(query.values[min(first + i, whole - 1u)]);
}

// @param width  dimensions at a time, a power of two, at least screen_staged_dimensions
void evaluate_some(FloatsIn query, Rows rows, uint dimensions, uint first_row, uint count, uint width) {
  const uint thread = gl_LocalInvocationID.x, own = min(thread, count - 1u) * (width + 1u);
  const uint staged_query = count * (width + 1u), whole = dimensions / 4u * 4u;
  float sum = 0.0;
  for (uint first = 0u; first < whole; first += width) {
    barrier();  // what was there has been read
    stage(query, rows, first_row, count, first, width, whole);
    barrier();
    const uint here = min(width, whole - first);
    for (uint i = 0u; i < here; i += 4u)
      [[unroll]] for (uint c = 0u; c < 4u; ++c)
        sum = canonical_step(sum, uintBitsToFloat(STAGED[staged_query + i + c]), uintBitsToFloat(STAGED[own + i + c]));
  }
  if (thread >= count) return;
  FloatsIn values = FloatsIn(staged_address(rows, first_row + thread));
  for (uint i = whole; i < dimensions; ++i) sum = canonical_step(sum, query.values[i], values.values[i]);
  staged_distance(first_row + thread, sum);
}

/// All invocations call it together, of rows for which reads_fours() holds, of four dimensions at least. A barrier is to follow.
void evaluate_staged(FloatsIn query, Rows rows, uint dimensions, uint count) {
  const uint fit = (STAGED_WORDS - screen_staged_dimensions) / (screen_staged_dimensions + 1u);
  const uint most = min(fit, WORKGROUP_SIZE);
  for (uint first = 0u; first < count; first += most) {
    const uint here = min(count - first, most);
    uint width = screen_staged_dimensions;
    while (width < dimensions && staged_words(here, 2u * width) <= STAGED_WORDS) width *= 2u;
    evaluate_some(query, rows, dimensions, first, here, width);
  }
}

#endif
