// Canonical distances of a query to rows here and there whose values are neighbours. Neighbouring invocations read neighbouring values,
// whole pieces of memory, and leave them in shared memory; there each invocation adds up one row, in the canonical order. An invocation
// that reads a row of its own asks for a part of a piece at a time, which takes the caches and the memory behind them longer.
//
// Included where STAGED, an array of uint in shared memory, and STAGED_WORDS, its length, are defined: of screen_staged_rows rows and a
// query at least. The pass has, as functions:
//   uint staged_row(uint i): the number of row i
//   void staged_distance(uint i, float distance): takes its distance
#ifndef PROXEL_STAGED_ROWS_GLSL
#define PROXEL_STAGED_ROWS_GLSL
#include "canonical_row.glsl"
#include "proxel/passes/screen_refine.h"

// Large workgroups have few rows as a rule, of which more dimensions fit. Small ones have one width, which the compiler knows.
const bool WIDENS = WORKGROUP_SIZE > 128u;
// Rows of one width that there is room for.
const uint STAGED_FIT = (STAGED_WORDS - screen_staged_dimensions) / (screen_staged_dimensions + 1u) / 16u * 16u;
const uint STAGED_ROWS = STAGED_FIT < WORKGROUP_SIZE ? STAGED_FIT : WORKGROUP_SIZE;
// Fours that an invocation asks for before it uses the first: all that it has of a width.
const uint staged_most_reads = 8u;
const uint STAGED_READS =
    WIDENS ? staged_most_reads : (STAGED_ROWS * screen_staged_dimensions / 4u + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;

uvec2 staged_address(Rows rows, uint i) {
  const uint row = staged_row(i);
  return advance(tile_address(rows, row / tile_rows), row % tile_rows, 4u * rows.row_stride);
}

float staged_step(float sum, uint query, uint own) {
  return canonical_step(sum, uintBitsToFloat(STAGED[query]), uintBitsToFloat(STAGED[own]));
}

// @param width  dimensions at a time, a power of two, at least screen_staged_dimensions
void evaluate_some(FloatsIn query, Rows rows, uint dimensions, uint first_row, uint count, uint width) {
  const uint thread = gl_LocalInvocationID.x, fours_of_row = width / 4u, shift = uint(findMSB(fours_of_row));
  const uint fours = count << shift, whole = dimensions / 4u * 4u;
  const uint apart = width + 1u, staged_query = count * apart;  // the one keeps the banks apart
  // Where the row of each four lies. Past the last the last is read again.
  uvec2 from[staged_most_reads];
  [[unroll]] for (uint j = 0u; j < STAGED_READS; ++j)
    from[j] = staged_address(rows, first_row + (min(thread + j * WORKGROUP_SIZE, fours - 1u) >> shift));
  float sum = 0.0;
  for (uint first = 0u; first < whole; first += width) {
    barrier();  // what was there has been read
    vec4 values[staged_most_reads];
    [[unroll]] for (uint j = 0u; j < STAGED_READS; ++j) {
      const uint column = (thread + j * WORKGROUP_SIZE & (fours_of_row - 1u)) * 4u;
      values[j] = Float4sIn(from[j]).values[min(first + column, whole - 4u) / 4u];
    }
    for (uint i = thread; i < width; i += WORKGROUP_SIZE)
      STAGED[staged_query + i] = floatBitsToUint(query.values[min(first + i, whole - 1u)]);
    [[unroll]] for (uint j = 0u; j < STAGED_READS; ++j) {
      const uint i = thread + j * WORKGROUP_SIZE, to = (i >> shift) * apart + (i & (fours_of_row - 1u)) * 4u;
      if (i < fours)
        [[unroll]] for (uint c = 0u; c < 4u; ++c) STAGED[to + c] = floatBitsToUint(values[j][c]);
    }
    barrier();
    const uint own = min(thread, count - 1u) * apart, here = min(width, whole - first);
    uint i = 0u;
    for (; i + screen_staged_dimensions <= here; i += screen_staged_dimensions)
      [[unroll]] for (uint c = 0u; c < screen_staged_dimensions; ++c) sum = staged_step(sum, staged_query + i + c, own + i + c);
    for (; i < here; ++i) sum = staged_step(sum, staged_query + i, own + i);
  }
  if (thread >= count) return;
  FloatsIn values = FloatsIn(staged_address(rows, first_row + thread));
  for (uint i = whole; i < dimensions; ++i) sum = canonical_step(sum, query.values[i], values.values[i]);
  staged_distance(first_row + thread, sum);
}

// How many dimensions of so many rows are brought at a time.
uint staged_width(uint dimensions, uint count) {
  uint width = screen_staged_dimensions;
  while (WIDENS && width < dimensions && count * (2u * width + 1u) + 2u * width <= STAGED_WORDS &&
         count * 2u * width <= 4u * staged_most_reads * WORKGROUP_SIZE)
    width *= 2u;
  return width;
}

/// All invocations call it together, of rows for which reads_fours() holds, of four dimensions at least. A barrier is to follow.
void evaluate_staged(FloatsIn query, Rows rows, uint dimensions, uint count) {
  for (uint first = 0u; first < count; first += STAGED_ROWS) {
    const uint here = min(count - first, STAGED_ROWS);
    evaluate_some(query, rows, dimensions, first, here, WIDENS ? staged_width(dimensions, here) : screen_staged_dimensions);
  }
}

#endif
